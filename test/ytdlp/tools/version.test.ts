import { expect, it } from 'vitest'
import { versionOf } from '../../../src/ytdlp/tools/version.ts'

it.each([[['/bin/echo']], [['/bin/false']], [['/nowhere/at-all']]])('takes %s for no yt-dlp', async command => {
  expect(await versionOf(command, {})).toBeUndefined()
})
