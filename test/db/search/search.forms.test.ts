/** Words that signs, spaces or a change from letters to digits part are found joined, and joined words are found parted. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { holds } from '../../support/run/holds.ts'

const { sql } = useDatabase()

/** Follows one channel with videos of these titles, the newest first. */
async function follows(titles: string[], { channel = 'C' } = {}): Promise<Person> {
  const made = await person(sql, 'alice')
  const entries = titles.map((title, at) =>
    entry(`v${at}`, { title, description: null, published_at: new Date(Date.UTC(2026, 3, 28, 0, -at)) }),
  )
  await made.library.channels.save({ channel_id: 'c', title: channel, rss_url: 'https://videos.example/c' }, entries)
  return made
}
const titles = async ({ library }: Person, q: string) =>
  (await library.search.videos({ q, limit: 24 })).entries.map(({ title }) => title)
const marked = async ({ library }: Person, q: string) =>
  (await library.search.videos({ q, limit: 1 })).entries[0]?.highlights.title
    ?.map(({ text, match }) => (match ? `[${text}]` : text))
    .join('')

describe('a title', () => {
  it.each([
    ['RTX-4090 review', ['rtx4090', 'rtx-4090', 'rtx 4090', 'RTX–4090', '4090']],
    ['The RTX4090 review', ['rtx4090', 'rtx-4090', 'rtx 4090']],
    ['Wi-Fi setup', ['wifi', 'wi-fi', 'wi fi', 'wifi setup', '"wi-fi setup"']],
    ['wifi setup', ['wifi', 'wi-fi', 'wi fi setup']],
    ['Apollo 11 at 50', ['apollo-11', 'apollo11', 'apollo 11', '"apollo-11 at"']],
    ['O’Neill’s garage', ["o'neill", 'oneill', 'o’neill', 'oneills', 'neill', "o'neill garage", 'oneill garage']],
    ['oneill surfs', ["o'neill", 'o neill']],
    ['Пʼять хвилин', ["п'ять", 'п’ять', 'пять']],
    ['Hawaiʻi trip', ['hawaii', "hawai'i", 'hawaiʻi']],
    ['Spider‐Man', ['spider-man', 'spiderman', 'spider man']],
    ['Spiderman', ['spider-man', 'spider man']],
    ['non‑breaking hyphen', ['non-breaking', 'nonbreaking']],
    ['Donau\u00addampf\u00adschiff', ['donaudampfschiff', 'donau\u00addampfschiff']],
    ['zero\u200bwidth', ['zerowidth']],
    ['ខ្មែរ\u200bសិក្សា', ['ខ្មែរសិក្សា', 'ខ្មែរ\u200bសិក្សា']],
    ['U.S.A. road trip', ['usa', 'u.s.a.', 'u.s.a', 'usa road']],
    ['The USA today', ['u.s.a.']],
    ['1,000,000 subscribers', ['1000000', '1.000.000', '1,000,000']],
    ['AC/DC live', ['acdc', 'ac/dc', 'ac dc']],
    ['Node.js 24', ['nodejs', 'node.js', 'node js']],
    ['AT&T history', ['att', 'at&t']],
    ["don't panic", ['dont', "don't", 'don’t']],
    ['rock ’n’ roll', ["rock'n'roll", 'rock n roll']],
    ['F-16 and MiG-29', ['f16', 'F 16', 'mig29', 'mig-29']],
    ['H₂O in 4K 60fps', ['h2o', 'h-2-o', '4k60']],
    ['Covid-19 update', ['covid19', 'covid 19', 'covid-19', 'covid-19-update']],
    ['3-D print', ['3d', '3-d']],
    ['בית־ספר', ['בית-ספר', 'ביתספר', 'ספר']],
    ['col·legi', ['collegi', 'col·legi', 'col-legi']],
    ['Re:Zero', ['rezero', 're zero', 're:zero']],
    ['S.T.A.L.K.E.R. 2', ['stalker', 'stalker 2', 's.t.a.l.k.e.r.']],
    ['Spider Man', ['spiderman', 'spider-man']],
    ['Don´t panic', ['dont', "don't"]],
    ['צה״ל', ['צהל', 'צה״ל']],
    ['AC⧸DC', ['acdc', 'ac/dc']],
  ])('%s is found by each form', async (title, asked) => {
    const alice = await follows(['Something else 7', title])
    for (const q of asked) expect([q, await titles(alice, q)]).toEqual([q, [title]])
  })

  it('is marked in the form that it has', async () => {
    const alice = await follows(['The Wi-Fi of an RTX-4090'])
    expect(await marked(alice, 'wifi')).toBe('The [Wi-Fi] of an RTX-4090')
    expect(await marked(alice, 'wi-fi')).toBe('The [Wi]-[Fi] of an RTX-4090')
    expect(await marked(alice, 'rtx4090')).toBe('The Wi-Fi of an [RTX]-[4090]')
  })

  it('in the form that was typed comes first, with any sign', async () => {
    const alice = await follows(['wifi one', 'Wi–Fi two', 'WiFi three', 'Wi-Fi four'])
    expect(await titles(alice, 'wi-fi')).toEqual(['Wi–Fi two', 'Wi-Fi four', 'wifi one', 'WiFi three'])
    expect(await titles(alice, 'wifi')).toEqual(['wifi one', 'WiFi three', 'Wi–Fi two', 'Wi-Fi four'])
  })

  it('is left out by any form of an excluded word', async () => {
    const alice = await follows(['Setup of Wi-Fi', 'Setup of wifi', 'Setup of cables'])
    expect(await titles(alice, 'setup -wifi')).toEqual(['Setup of cables'])
    expect(await titles(alice, 'setup -wi-fi')).toEqual(['Setup of cables'])
  })

  it('is not left out by a dash that was pasted with the words', async () => {
    const alice = await follows(['Bread – in one bowl', 'Bread'])
    expect(await titles(alice, 'Bread – in one bowl')).toEqual(['Bread – in one bowl'])
    expect(await titles(alice, 'bread –bowl')).toEqual(['Bread – in one bowl'])
  })

  it('is found by its words parted by any sign of Unicode that parts words, and by its words joined', async () => {
    const word = fc.stringMatching(/^[a-z]{2,6}$/)
    const sign = fc.constantFrom(..."-‐‑‒–—―−⸺﹣－'’‘ʼʻ`＇.．/／&_:·,")
    await holds(
      fc.asyncProperty(word, sign, word, sign, async (one, saved, other, typed) => {
        const title = `${one}${saved}${other}`
        const alice = await follows([title])
        for (const q of [one + other, `${one}${typed}${other}`, `${one} ${other}`, other])
          expect([title, q, await titles(alice, q)]).toEqual([title, q, [title]])
      }),
      { runs: 25 },
    )
  })
})

it('a word with many signs is marked in no time, whatever the text', async () => {
  const alice = await follows([`Wi-Fi ${'='.repeat(60)} and more`])
  const q = `wifi ${'='.repeat(49)}a`
  expect(await titles(alice, q)).toEqual([])
  expect(await titles(alice, `wifi ${'='.repeat(49)}`)).toHaveLength(1)
})

it('no text is an error, however many signs it has', async () => {
  const alice = await follows(['a'])
  const text = fc.string({ unit: fc.constantFrom(...`-"'|&!():*<>\\ aor7é日🎉–’`), maxLength: 80 })
  const said = (q: string) => alice.library.search.videos({ q, limit: 1 }).then(() => q)
  for (const sign of `-"'|&!():*<>\\`) {
    const q = `${sign.repeat(60)}a`
    expect(await said(q)).toBe(q)
  }
  await holds(
    fc.asyncProperty(text, async q => {
      if (q.trim() !== '') expect(await said(q)).toBe(q)
    }),
    { runs: 200 },
  )
})

it('a description and what is said are found in all forms', async () => {
  const alice = await person(sql, 'alice')
  await alice.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
    entry('described', { title: 'A', description: 'With Wi-Fi.\nAnd an e-mail' }),
    entry('said', { title: 'B', description: null }),
  ])
  const lines = [
    { start_seconds: 0, text: 'my Wi-Fi and the RTX' },
    { start_seconds: 9, text: '4090 of O’Neill' },
  ]
  await alice.library.transcripts.save('said', { language: 'en', automatic: false, lines })
  const found = async (q: string) =>
    (await alice.library.search.videos({ q, limit: 9 })).entries.map(
      ({ video_id, highlights, moments }) =>
        `${video_id}: ${[...(highlights.description ?? []), ...(moments[0]?.highlighted ?? [])].flatMap(({ text, match }) => (match ? text : [])).join()}`,
    )
  expect(await found('wifi')).toEqual(['described: Wi-Fi', 'said: Wi-Fi'])
  expect(await found('email')).toEqual(['described: e-mail'])
  expect(await found('rtx4090')).toEqual(['said: RTX,4090'])
  expect(await found('oneill')).toEqual(['said: O’Neill'])
})

it('a title is marked in its form, at the beginnings of its words, also where the description has the typed one', async () => {
  const alice = await person(sql, 'alice')
  const of = (title: string) => entry('one', { title, description: 'Our wifi' })
  await alice.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, [
    of('HiWi-Fi and Wi-Fi'),
  ])
  expect(await marked(alice, 'wifi')).toBe('HiWi-Fi and [Wi-Fi]')
})

it('channels, suggestions and filters find a name in all forms, the typed one first', async () => {
  const alice = await follows(['One'], { channel: "O’Brien's RTX-4090 Wi-Fi" })
  await alice.library.channels.save(
    { channel_id: 'other', title: 'My wifi and other things of a home', rss_url: 'https://videos.example/o' },
    [],
  )
  const { search } = alice.library
  for (const q of ['obrien', "o'brien", 'rtx4090', 'rtx-4090', 'wi-fi', 'wifi']) {
    expect([q, (await search.channels(q, 9)).map(({ channel_id }) => channel_id)]).toEqual([
      q,
      expect.arrayContaining(['c']),
    ])
    expect(await search.channelNames(q, 9)).toContain("O’Brien's RTX-4090 Wi-Fi")
    const filters = [{ key: 'channel' as const, name: q, is_excluded: false }]
    expect((await search.videos({ q: '', filters, limit: 9 })).entries.map(({ title }) => title)).toEqual(['One'])
  }
  expect((await search.channels('wifi', 9)).map(({ channel_id }) => channel_id)).toEqual(['other', 'c'])
  expect((await search.channels('wi-fi', 9)).map(({ channel_id }) => channel_id)).toEqual(['c', 'other'])
  expect((await search.channels('wi-fi -obrien', 9)).map(({ channel_id }) => channel_id)).toEqual(['other'])
})
