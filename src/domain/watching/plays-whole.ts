/** Whether anything is skipped in the videos of a channel. */
import type { Library } from '../../db/library.ts'
import { noSuchChannel } from '../get.ts'

export async function choosePlaysWhole(
  library: Library,
  channel_id: string,
  plays_whole: boolean,
): Promise<{ plays_whole: boolean }> {
  if (!(await library.settings.setPlaysWhole(channel_id, plays_whole))) throw noSuchChannel()
  return { plays_whole }
}
