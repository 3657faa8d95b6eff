/** Tables that are not from Google Takeout. */
import { expect, it } from 'vitest'
import { parseList } from '../../../src/feed/lists/parse-list.ts'

const read = (text: string) => {
  const { lines, passed_over } = parseList(text)
  return { lines: lines.map(({ address, title }) => [address, title]), passed_over }
}
const both = {
  lines: [
    ['@slow.kitchen', 'Slow kitchen'],
    ['＠本', 'Books'],
  ],
  passed_over: 0,
}

it.each([
  ['commas', 'Name,Handle\nSlow kitchen,@slow.kitchen\nBooks,＠本\n'],
  ['the handle first', 'Handle;Name;Since\r\n@slow.kitchen;Slow kitchen;2020\r\n＠本;Books;2021'],
  ['tabs and quotes', 'Nr\tName\tHandle\n1\t"Slow kitchen"\t"@slow.kitchen"\n2\tBooks\t＠本'],
  ['the line of Excel', '\ufeffsep=;\r\nName;Handle\r\nSlow kitchen;@slow.kitchen\r\nBooks;＠本\r\n'],
])('handles in a table with %s are read with their names', (_, text) => {
  expect(read(text)).toEqual(both)
})

it('addresses in a table are preferred to handles beside them', () => {
  const text = 'Handle,Name,Link\n@slow,Slow kitchen,https://kitchen.example/feed\n@b,Books,https://b.example/feed\n'
  const lines = [
    ['https://kitchen.example/feed', 'Slow kitchen'],
    ['https://b.example/feed', 'Books'],
  ]
  expect(read(text)).toEqual({ lines, passed_over: 0 })
})

it('the first line of Excel is no line of a list', () => {
  const id = 'UCabcdefghijklmnopqrstuv'
  const lines = [[`https://www.youtube.com/channel/${id}`, 'Slow kitchen']]
  const table = `Channel Id;Channel Url;Channel Title\r\n${id};http://www.youtube.com/channel/${id};Slow kitchen\r\n`
  for (const first of ['sep=;\r\n', '"sep=;"\n', 'SEP=;\r'])
    expect(read(first + table)).toEqual({ lines, passed_over: 0 })
})

it('tables of comments and of playlists, and addresses of mail, give no channel', () => {
  const id = 'UCabcdefghijklmnopqrstuv'
  for (const text of [
    `Comment ID,Channel ID,Comment Text\nUgx1,${id},Nice\n`,
    `Playlist ID,Channel ID\nPLx,${id}\n`,
    'Name,Mail\nAnn,ann@mail.example\nBen,\n',
    'Thanks to all\nsee you, @ben\n',
  ])
    expect(() => read(text), text).toThrow('No channels found')
})
