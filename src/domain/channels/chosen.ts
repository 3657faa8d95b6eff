/** Acts on several selected channels at once. A channel that is missing meanwhile is left out. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Store } from '../../store/files.ts'
import { applyRule } from '../rules/rules.ts'
import { unfollowChannel } from './channels.ts'

/** Turns the rules of these channels on or off, and keeps the rest of each rule. Returns the channels whose rule has changed. */
export async function switchRules(library: Library, channel_ids: string[], auto_download: boolean): Promise<string[]> {
  const changed: string[] = []
  for (const channel_id of channel_ids) {
    const rule = await library.rules.find(channel_id)
    if (!rule || rule.auto_download === auto_download) continue
    if (await library.rules.save(channel_id, { ...rule, auto_download })) changed.push(channel_id)
  }
  // A single rule that includes older videos begins at once; housekeeping begins several rules.
  const [only, ...others] = changed
  if (only !== undefined && others.length === 0) await applyRule(library, only)
  return changed
}

/** Returns the channels that were unfollowed. */
export async function unfollowChannels(library: Library, store: Store, channel_ids: string[]): Promise<string[]> {
  const unfollowed = await actOnEach(channel_ids, async channel_id => {
    await unfollowChannel(library, store, channel_id)
    return channel_id
  })
  return unfollowed.done
}

/** Continues after a refusal, and remembers the first one. */
export async function actOnEach<T>(ids: string[], act: (id: string) => Promise<T>) {
  const done: T[] = []
  let refusal: DomainError | undefined
  for (const id of ids) {
    try {
      done.push(await act(id))
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      refusal ??= fault
    }
  }
  return { done, refusal }
}
