/** Checks that only one file saves a channel's feed, because that file also applies the channel's rule. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('only save-feed.ts saves the feed of a channel', async () => {
  const folders = await Promise.all(
    ['src', 'jobs'].map(async folder =>
      (await readdir(folder, { recursive: true }))
        .filter(name => /\.tsx?$/.test(name))
        .map(name => `${folder}/${name}`),
    ),
  )
  const texts = await Promise.all(folders.flat().map(async path => ({ path, text: await readFile(path, 'utf8') })))
  // Found by name: no other object with these methods may be called `channels`, and no other function `saveForFollowers`.
  const saves = /\bchannels\s*(?:\.|\?\.|\[')\s*(?:save|update|addVideo)\b|\.saveForFollowers\b/
  const saving = texts.filter(({ text }) => saves.test(text))
  expect(saving.map(({ path }) => path)).toEqual(['src/domain/saving/save-feed.ts'])
})
