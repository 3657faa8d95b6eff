/** Holds every save of a channel's feed to the one file that applies the channel's rule afterwards. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('only save-feed.ts saves what the feed of a channel says', async () => {
  const folders = await Promise.all(
    ['src', 'jobs'].map(async folder =>
      (await readdir(folder, { recursive: true }))
        .filter(name => /\.tsx?$/.test(name))
        .map(name => `${folder}/${name}`),
    ),
  )
  const texts = await Promise.all(folders.flat().map(async path => ({ path, text: await readFile(path, 'utf8') })))
  // Another object with methods of these names would have to be called something else than `channels`.
  const saving = texts.filter(({ text }) => /\bchannels\s*(?:\.|\?\.|\[')\s*(?:save|renew)\b/.test(text))
  expect(saving.map(({ path }) => path)).toEqual(['src/domain/channels/save-feed.ts'])
})
