/** Documents that are no JSON: the scan ends at the first byte that cannot be there. */
import { expect, it } from 'vitest'
import { jsonItemsIn } from '../../../src/feed/history/json-items.ts'

async function itemsIn(text: string) {
  const chunks = async function* () {
    yield new TextEncoder().encode(text)
  }
  return Array.fromAsync(jsonItemsIn(chunks()), ({ list, text }) => [list, text])
}

it.each(['[}', '[5 }', '[|55a/ }', '[1,}', '{"a":]', '{"a":[1,2]]'])(
  'the scan of %s ends, because a closing bracket of the other kind begins no value',
  async text => {
    await expect(itemsIn(text)).rejects.toThrow('This file breaks off, or is damaged.')
  },
)

it.each([
  [
    '[5, "a", {"b":[1]}]',
    [
      ['', '5'],
      ['', '"a"'],
      ['', '{"b":[1]}'],
    ],
  ],
  [
    '{"a":[1,[2]],"b":7}',
    [
      ['a', '1'],
      ['a', '[2]'],
      ['b', '7'],
    ],
  ],
])('the items of %s are found', async (text, items) => {
  expect(await itemsIn(text)).toEqual(items)
})
