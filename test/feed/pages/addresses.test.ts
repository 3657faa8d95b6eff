/** Addresses among other text, as people and programs write them: what is taken, under which title, and what is passed over. */
import { describe, expect, it } from 'vitest'
import { parseList } from '../../../src/feed/lists/parse-list.ts'

const kitchen = 'https://kitchen.example/feed'
const bread = 'https://bread.example/feed'
const ltt = 'https://www.youtube.com/@LinusTechTips'
const ids = ['a', 'b'].map(letter => `UC${letter.repeat(22)}`)

const read = (text: string) => {
  const { lines, passed_over } = parseList(text)
  return { lines: lines.map(({ address, title }) => (title === null ? address : [address, title])), passed_over }
}

describe('an address is read without the characters around it', () => {
  it.each([
    ['a Markdown link', `- [LTT](${ltt})`, [[ltt, 'LTT']]],
    ['a Markdown link in a sentence', `See [LTT](${ltt}), it is good.`, [[ltt, 'LTT']]],
    ['a Markdown link with brackets', `[LTT](<${ltt}>)`, [[ltt, 'LTT']]],
    ['bold Markdown', `**${kitchen}**`, [kitchen]],
    ['Markdown in italics', `_${kitchen}_ and __${bread}__`, [kitchen, bread]],
    ['an underscore at its end', `${kitchen}_`, [`${kitchen}_`]],
    ['a picture behind it', `${kitchen}👍 ${bread}❤️`, [kitchen, bread]],
    ['a dash behind it', `${kitchen}—must see, ${bread}–too`, [kitchen, bread]],
    ['a code span', `\`${kitchen}\``, [kitchen]],
    ['parentheses', `(${kitchen})`, [kitchen]],
    ['angle brackets in the only line', `<${kitchen}>`, [kitchen]],
    ['a feed: address in angle brackets', `<feed:${kitchen}>`, [kitchen]],
    ['a comma', `${kitchen},`, [kitchen]],
    ['a semicolon', `${kitchen};`, [kitchen]],
    ['a full stop', `My favourite is ${kitchen}.`, [kitchen]],
    ['quotes', `"${kitchen}"`, [kitchen]],
    ['quotes of other languages', `„${kitchen}“ and «${bread}»`, [kitchen, bread]],
    ['Chinese punctuation', `我喜欢（${kitchen}），还有${bread}。`, [kitchen, bread]],
    ['a JSON line', `  "url": "${kitchen}",`, [kitchen]],
    ['a table', `| Kitchen | ${kitchen} | weekly |`, [kitchen]],
    ['parentheses of its own', `(see ${kitchen}_(slow))`, [`${kitchen}_(slow)`]],
    ['commas of its own', `${kitchen}?tags=1,2,3`, [`${kitchen}?tags=1,2,3`]],
    ['commas in its path', 'https://paper.example/0,2-3208,1-0,0.xml', ['https://paper.example/0,2-3208,1-0,0.xml']],
    ['a handle of PeerTube', 'Follow @notes@tube.example, it is good', ['@notes@tube.example']],
    ['a handle of PeerTube alone in its line', 'notes@tube.example', ['notes@tube.example']],
    ['invisible characters', `\u200e${kitchen}\u200b\u2069`, [kitchen]],
    ['an address without scheme', 'See www.kitchen.example/feed.', ['www.kitchen.example/feed']],
    ['an address in it', `https://proxy.example/?u=${kitchen}`, [`https://proxy.example/?u=${kitchen}`]],
  ])('%s', (_, text, lines) => {
    expect(read(text)).toEqual({ lines, passed_over: 0 })
  })
})

describe('every address of a line is read', () => {
  it.each([
    ['beside each other', `${kitchen} ${bread}`],
    ['after commas', `${kitchen},${bread}`],
    ['after a comma and a space', `${kitchen}, ${bread}`],
    ['after semicolons', `${kitchen};${bread}`],
    ['in words', `First ${kitchen} and then ${bread}!`],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual({ lines: [kitchen, bread], passed_over: 0 })
  })

  it('every identifier of a line is read', () => {
    expect(read(ids.join(', ')).lines).toEqual(ids.map(id => `https://www.youtube.com/channel/${id}`))
    expect(read(ids.join(' ')).lines).toEqual(ids)
  })
})

describe('a table with a column of addresses', () => {
  it.each([
    ['the address first', `url,title\n${ltt},LTT\n${kitchen},"Slow, kitchen"`],
    ['the title first', `Name;Feed\nLTT;${ltt}\n"Slow, kitchen";${kitchen}`],
    ['tabs', `url\ttitle\n${ltt}\tLTT\n${kitchen}\tSlow, kitchen`],
    ['no header', `${ltt},LTT\n${kitchen},"Slow, kitchen"`],
  ])('a table with a column of addresses is read with its titles: %s', (_, text) => {
    expect(read(text)).toEqual({
      lines: [
        [ltt, 'LTT'],
        [kitchen, 'Slow, kitchen'],
      ],
      passed_over: 0,
    })
  })

  it('the words of a table do not become part of an address', () => {
    expect(read(`${ltt},LTT`).lines).toEqual([ltt])
    expect(read(`${kitchen},Kitchen`).lines).toEqual([kitchen])
    expect(read(`https://www.youtube.com/feeds/videos.xml?channel_id=${ids[0]},LTT`).lines).toEqual([
      `https://www.youtube.com/feeds/videos.xml?channel_id=${ids[0]}`,
    ])
  })
})

describe('a line that names no channel is passed over and counted', () => {
  it.each([
    ['remarks of yt-dlp', `# music\n; news\n] old\n${kitchen}\n`, 3],
    ['queries of newsboat', `${kitchen} tag "~Kitchen"\n"query:unread:unread = \\"yes\\""\n`, 1],
    ['headings of TOML', `[channels]\n[[channels]]\nurl = "${kitchen}"\n`, 2],
    ['headings of YAML', `channels:\n  - name: Slow kitchen\n    url: ${kitchen}\n`, 2],
    ['headings of INI', `[youtube]\nKitchen = ${kitchen}\n`, 1],
    ['an address of e-mail', `Write to notes@tube.example\n${kitchen}\n`, 1],
    ['words', `What I watch:\n\n${kitchen}\n\nand more to come\n`, 2],
  ])('%s', (_, text, passed_over) => {
    expect(read(text)).toEqual({ lines: [kitchen], passed_over })
  })

  it('a line that may be meant as an address is kept, to be reported as failed', () => {
    const meant = ['@NASA', 'example.com/feed', 'file:///etc/passwd', 'UCodd', 'kitchen.example']
    expect(read(meant.join('\n'))).toEqual({ lines: meant, passed_over: 0 })
  })
})

it('an address with numbers after commas is read whole, even if every line has as many', () => {
  const addresses = ['https://a.example/?list=1,2,3', 'https://b.example/?list=4,5,6']
  expect(parseList(addresses.map(address => ` ${address}。\n`).join('')).lines.map(({ address }) => address)).toEqual(
    addresses,
  )
})

it('commas in the second address of a line belong to it, although each line has the same number of commas', () => {
  const text =
    ' https://a.example/a),  https://b.example/b?list=1,2,3。\n https://c.example/c., (https://d.example/d), (https://e.example/e), '

  expect(parseList(text).lines.map(({ address }) => address)).toEqual([
    'https://a.example/a',
    'https://b.example/b?list=1,2,3',
    'https://c.example/c',
    'https://d.example/d',
    'https://e.example/e',
  ])
})

it.each(['@なつ乙チャンネル', '@อนุรักน์โชคชัย', '@Канал-Дом', '@中文频道', '@café·bar'])(
  'the handle %s is a line',
  handle => {
    expect(read(`${handle}\n`)).toEqual({ lines: [handle], passed_over: 0 })
  },
)
