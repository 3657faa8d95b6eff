/** Keeps words that made readers stop out of comments and texts. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const unwanted =
  /\b(whoever|nobody|somebody|stands?|by itself|by themselves|in vain|what becomes of|became of|lately)\b/gi

/** Files that use such a word on purpose, and how often. */
const intended = {
  // The Unix user.
  'docs/install.md': 1,
  'src/db/postgres/embedded-platform.ts': 3,
}

it('comments and texts use plain words', async () => {
  const lists = await Promise.all(
    ['docs', 'src', 'jobs', 'static'].map(async folder =>
      (await readdir(folder, { recursive: true })).map(name => join(folder, name)),
    ),
  )
  const paths = [...lists.flat(), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
  const texts = paths.filter(path => /\.(tsx?|js|css|py|md)$/.test(path))
  const counts = await Promise.all(
    texts.map(async path => [path, (await readFile(path, 'utf8')).match(unwanted)?.length ?? 0] as const),
  )
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(intended)
})
