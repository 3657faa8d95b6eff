/** Lists that others collected, when `FEED_CORPUS` names the folder they are in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect, it } from 'vitest'
import { parseList } from '../../src/feed/lists/parse-list.ts'
import { anyTextOf } from '../../src/feed/markup/any-text.ts'
import { feedAddressOf } from '../../src/feed/pages/given-address.ts'

const folder = join(env.FEED_CORPUS ?? '', 'feeds')
const files = env.FEED_CORPUS && existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
const lists = files.filter(file => file.endsWith('.opml'))

if (lists.length === 0) {
  console.warn('The collected lists are left out: FEED_CORPUS names no folder of them.')
  it('leaves the collected lists out, because FEED_CORPUS names no folder of them', () => {
    expect(lists).toEqual([])
  })
} else {
  it.each(lists)('%s gives every address in it once, with a name', file => {
    const text = anyTextOf(new Uint8Array(readFileSync(join(folder, file))))
    const { kind, lines } = parseList(text)
    const named = new Set([...text.matchAll(/xmlUrl="([^"]+)"/gi)].map(([, address]) => address))
    expect(kind).toBe('opml')
    expect(lines.length).toBeGreaterThan(named.size * 0.95)
    expect(lines.length).toBeLessThanOrEqual(named.size)
    for (const { address } of lines) expect(() => feedAddressOf(address)).not.toThrow()
  })
}
