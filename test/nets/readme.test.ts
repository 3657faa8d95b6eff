/** Checks that the README is short and that every path in the documents exists. */
import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const documents = ['README.md', 'SECURITY.md', 'src/OPERATIONS.md', 'src/DECISIONS.md']

it.each(documents)('%s names only files that exist', async document => {
  const text = await readFile(document, 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
    join(dirname(document), path),
  )
  const mentions = [...text.matchAll(/`((?:src|jobs|test|static|migrations)\/[^`\s<>*]*[a-z0-9])`/g)].map(
    ([, path = '']) => path,
  )
  expect([...links, ...mentions]).not.toEqual([])
  expect(await missingOf([...links, ...mentions])).toEqual([])
})

it('the README can be read in one sitting: 1,500 words at most', async () => {
  const words = (await readFile('README.md', 'utf8')).split(/\s+/).filter(Boolean)
  expect(words.length).toBeLessThanOrEqual(1500)
})

async function missingOf(paths: string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(path =>
      access(path).then(
        () => [],
        () => [path],
      ),
    ),
  )
  return found.flat()
}
