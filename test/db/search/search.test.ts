/** What a search finds, in which order, and what it highlights. */
import { beforeAll, describe, expect, it } from 'vitest'
import { searchOf } from '../../../src/db/search/search.ts'
import type { Highlighted } from '../../../src/schema/search/search.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { holdVideos, useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

type Texts = Partial<Pick<FeedEntry, 'title' | 'description' | 'published_at'>>

/** Follows one channel with these videos. The keys are their identifiers. */
async function alice(videos: Record<string, Texts>, channel_id = 'c', who?: Person): Promise<Person> {
  const owner = who ?? (await person(sql, 'alice'))
  const entries = Object.entries(videos).map(([id, texts]) => entry(id, { description: null, ...texts }))
  const channel = { channel_id, title: `Channel ${channel_id}`, rss_url: `https://videos.example/${channel_id}` }
  await owner.library.channels.save(channel, entries)
  return owner
}

const search = async ({ library }: Person, q: string, limit = 24) => (await library.search.videos({ q, limit })).entries
const ids = async (who: Person, q: string) => (await search(who, q)).map(({ video_id }) => video_id)
const inBrackets = (pieces: Highlighted | null) =>
  pieces?.map(({ text, match }) => (match ? `[${text}]` : text)).join('')

describe('what is found', () => {
  const videos = {
    both: { title: 'Sourdough bread in one bowl' },
    apart: { title: 'Bread without yeast', description: 'No sourdough today.' },
    cake: { title: 'Cake for twelve', description: 'A trailer for bread week' },
    none: { title: 'Knives' },
  }
  const cases: [q: string, found: string[]][] = [
    ['sourdough bread', ['both', 'apart']],
    ['BREAD', ['both', 'apart', 'cake']],
    ['"sourdough bread"', ['both']],
    ['“sourdough bread”', ['both']],
    ['"bread sourdough"', []],
    ['bread -trailer', ['both', 'apart']],
    ['bread -"one bowl"', ['apart', 'cake']],
    ['cake or knives', ['cake', 'none']],
    ['sourd', ['both', 'apart']],
    ['"sourd"', ['both', 'apart']],
    ['sour bread', ['both', 'apart']],
    ['bread -sourd', ['both', 'apart', 'cake']],
    ['readwith', []],
    ['kniv', ['none']],
    ['nive', ['none']],
    ['bread -cake -yeast -"one bowl"', []],
    ['nives -kni', []],
    ['trail -bread', []],
    ['trail -knives', ['cake']],
  ]
  /** One person for each table of searches, and another one with the same videos. */
  const of = {} as Record<'videos' | 'unspaced' | 'spelled', Person>
  beforeAll(async () => {
    for (const [name, texts] of Object.entries({ videos, unspaced, spelled }))
      of[name as keyof typeof of] = await alice(texts)
    await alice(unspaced, 'c', await person(sql, 'bob'))
  })
  const sortedIds = async (who: Person, q: string) => (await ids(who, q)).toSorted()

  it.each(cases)('a search finds videos by %s', async (q, found) => {
    expect(await sortedIds(of.videos, q)).toEqual(found.toSorted())
  })

  const unspaced = {
    run: { title: '日本語の料理番組' },
    alone: { title: '料理' },
    apart: { title: '料亭と修理', description: '理料' },
    described: { title: '音楽', description: '今日は日本の料理。' },
    mixed: { title: '4K料理 bread — ラーメン' },
    thai: { title: 'วิธีทำอาหารไทย' },
    rare: { title: '𠮷野家の夜' },
  }
  it.each([
    ['料理', ['run', 'alone', 'described', 'mixed']],
    ['料', ['run', 'alone', 'apart', 'described', 'mixed']],
    ['組', ['run']],
    ['語の料理', ['run']],
    ['日本語の料理番組', ['run']],
    ['日本料理', []],
    ['日本 料理', ['run', 'described']],
    ['料理番組 日本語', ['run']],
    ['4K料理', ['mixed']],
    ['4k', ['mixed']],
    ['料理 bread', ['mixed']],
    ['brea 料理', ['mixed']],
    ['"料理 bread"', ['mixed']],
    ['"bread 料理"', []],
    ['料理 -bread', ['run', 'alone', 'described']],
    ['料理 -日本', ['alone', 'mixed']],
    ['料理 -日本語', ['alone', 'described', 'mixed']],
    ['-料', ['thai', 'rare']],
    ['ーメ', ['mixed']],
    ['อาหาร', ['thai']],
    ['野家', ['rare']],
    ['「料理」', ['run', 'alone', 'described', 'mixed']],
  ])('a search in a script without spaces finds %s in any place', async (q, found) => {
    expect(await sortedIds(of.unspaced, q)).toEqual(found.toSorted())
  })

  it('a search in a script without spaces finds the first 100 letters of a description, and its other words', async () => {
    const description = `${'今日は。'.repeat(25)}料理 bread`
    const who = await alice({ late: { title: 'x', description }, other: { title: '料理' } })
    expect(await ids(who, '今日')).toEqual(['late'])
    expect(await ids(who, 'bread')).toEqual(['late'])
    expect(await ids(who, '料理')).toEqual(['other'])
  })

  it('letters that occur together in two places of a text are not found as one word', async () => {
    const who = await alice({
      apart: { title: '本日 日本' },
      word: { title: '本日本' },
      described: { title: '本日', description: '日本' },
    })
    expect(await ids(who, '本日本')).toEqual(['word'])
  })

  it('a search in a script without spaces finds no video with an excluded word in its title or description', async () => {
    const who = await alice({
      in_title: { title: '料理とパン' },
      in_description: { title: '料理', description: 'パン' },
      other: { title: '料理' },
    })
    expect(await ids(who, '料理 -パン')).toEqual(['other'])
  })

  it('a search finds words between any typographic signs, whatever the locale', async () => {
    const who = await alice({ v: { title: '“Crème” – l’Été…' } })
    for (const q of ['crème', 'été', 'CRÈME', "l'été"]) expect([q, await ids(who, q)]).toEqual([q, ['v']])
  })

  const spelled = {
    composed: { title: 'Zimowa łąka pełna' },
    decomposed: { title: 'Zimowa łąka nad rzeką'.normalize('NFD') },
    vietnamese: { title: 'Học tiếng Việt'.normalize('NFD') },
    da_nang: { title: 'Đà Nẵng travel' },
    facade: { title: 'naïve façade' },
    greek: { title: 'ΣΑΣ ΣΥΜΒΑΣΗ γραμμή' },
    odysseus: { title: 'Ο Οδυσσέας' },
    width: { title: 'ＦＵＬＬＷＩＤＴＨ ラーメン' },
    half: { title: 'ﾗｰﾒﾝ half' },
    ligature: { title: 'the ﬁnal H₂O' },
    turkish: { title: 'İstanbul, ISPARTA' },
    german: { title: '5 min. Übung, Straße' },
    arabic: { title: 'مَرْحَبًا بالعالم' },
    hebrew: { title: 'אָלֶף בית' },
    russian: { title: 'Ёлка и мёд, мой' },
    korean: { title: '김치찌개'.normalize('NFD') },
    kana: { title: 'がか' },
    hindi: { title: 'हिन्दी फ़िल्म' },
    icelandic: { title: 'Þórður á ærslabelg' },
  }
  it.each([
    ['łąka', ['composed', 'decomposed']],
    ['łąka'.normalize('NFD'), ['composed', 'decomposed']],
    ['laka', ['composed', 'decomposed']],
    ['tiếng Việt', ['vietnamese']],
    ['tieng viet', ['vietnamese']],
    ['da nang', ['da_nang']],
    ['façade', ['facade']],
    ['facade -naive', []],
    ['σας', ['greek']],
    ['γραμμη', ['greek']],
    ['οδυσσεας', ['odysseus']],
    ['fullwidth', ['width']],
    ['ＦＵＬＬ', ['width']],
    ['ラーメン', ['width', 'half']],
    ['ﾗｰﾒﾝ', ['width', 'half']],
    ['final', ['ligature']],
    ['h2o', ['ligature']],
    ['istanbul', ['turkish']],
    ['ısparta', ['turkish']],
    ['strasse', ['german']],
    ['STRASSE', ['german']],
    ['ubung', ['german']],
    ['bung', ['german']],
    ['مرحبا', ['arabic']],
    ['אלף', ['hebrew']],
    ['елка', ['russian']],
    ['мёд', ['russian']],
    ['мои', []],
    ['김치', ['korean']],
    ['が', ['kana']],
    ['がが', []],
    ['हिन्दी फिल्म', ['hindi']],
    ['हनद', []],
    ['thordur aerslabelg', ['icelandic']],
    ['“naive facade”', ['facade']],
    ['＂naive facade＂', ['facade']],
  ])('%s finds the videos with the same letters, however they are written', async (q, found) => {
    expect(await sortedIds(of.spelled, q)).toEqual(found.toSorted())
  })

  it('channels and their names are found however their letters are written', async () => {
    const who = await alice({ v: {} }, 'c')
    await who.library.channels.save({ channel_id: 'e', title: 'Crème Brûlée', rss_url: 'https://videos.example/e' }, [])
    const filters = [{ key: 'channel' as const, name: 'brulee', is_excluded: false }]
    expect(await who.library.search.channels('creme', 6)).toMatchObject([{ channel_id: 'e' }])
    expect(await who.library.search.channelNames('BRULEE'.normalize('NFD'), 6)).toEqual(['Crème Brûlée'])
    expect(await who.library.search.namingNone(filters)).toEqual([])
  })

  it('a search finds nothing of other people', async () => {
    const bob = await person(sql, 'bob')
    await alice(videos)
    await alice({ his: { title: 'Bread' } }, 'his', bob)
    expect(await ids(bob, 'bread')).toEqual(['his'])
    expect(await ids(bob, 'knives')).toEqual([])
    expect(await bob.library.search.channels('channel', 6)).toHaveLength(1)
  })

  it('a search finds no channel with an excluded word in its title', async () => {
    const who = await alice(videos, 'one')
    await alice(videos, 'two', who)
    expect(await who.library.search.channels('channel -two', 6)).toMatchObject([{ title: 'Channel one' }])
  })

  it('a video in two channels is found once, also if only one of them has the word', async () => {
    const who = await alice({ v: { title: 'Bread' } }, 'one')
    await alice({ v: { title: 'Bread, twice baked' } }, 'two', who)
    expect(await ids(who, 'bread')).toEqual(['v'])
    expect(await ids(who, 'baked')).toEqual(['v'])
  })

  it('no typed text makes a search fail', async () => {
    const who = await alice(videos)
    const odd = [...`" ' :* & | ! ( - -- \\ % _ <-> it's a:*b "a a"`.split(' '), '- -']
    const pairs = odd.flatMap(one => odd.map(other => `${one}${other} x ${other}`))
    const typed = [...odd, ...pairs, '\ue000', '\ud800', 'or']
    for (const q of [...typed, 'x'.repeat(200), '😀'.repeat(100), 'foo-ba', 'https://a.example/b?c=1']) {
      await expect(ids(who, q), q).resolves.toBeInstanceOf(Array)
      await expect(who.library.search.channels(q, 6), q).resolves.toBeInstanceOf(Array)
    }
    expect(await ids(who, '%')).toEqual([])
  })
})

describe('the order', () => {
  const breads = (count: number) =>
    alice(Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, { title: `Bread ${at}` }])))
  /** The identifiers of each page of a search for bread. */
  async function pagesOf({ library }: Person, limit: number) {
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await library.search.videos({ q: 'bread', limit, cursor })
      pages.push(page.entries.map(({ video_id }) => video_id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    return pages
  }

  it('a match in the title comes before any number of matches in a description', async () => {
    const who = await alice({
      mentions: { title: 'Cake', description: 'bread '.repeat(200) },
      title: { title: 'Bread', published_at: new Date('2012-01-01') },
    })
    expect(await ids(who, 'bread')).toEqual(['title', 'mentions'])
  })

  it('of two equal matches, the newer one comes first', async () => {
    const who = await alice({
      old: { title: 'Bread one', published_at: new Date('2015-01-01') },
      young: { title: 'Bread two', published_at: new Date('2026-01-01') },
    })
    expect(await ids(who, 'bread')).toEqual(['young', 'old'])
  })

  it('the pages of a search show each video once, and end', async () => {
    const who = await breads(25)
    const seen = (await pagesOf(who, 10)).flat()
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  it('a search ends after 500 results', async () => {
    const who = await breads(520)
    expect((await pagesOf(who, 90)).map(({ length }) => length)).toEqual([90, 90, 90, 90, 90, 50])
  })

  it.each([
    '',
    'x',
    '450',
    'words 1',
    'words|-1',
    'words|500',
    'words|1e2',
    'signs|1',
    'words|1|1',
    'words|1|title',
    'words|1|title|eA',
  ])('a search refuses a cursor with the place %j', async place => {
    const who = await alice({})
    const cursor = Buffer.from(place).toString('base64url')
    await expect(who.library.search.videos({ q: 'bread', limit: 10, cursor })).rejects.toThrow('not a place')
  })
})

describe('highlights', () => {
  it('the words are highlighted in the whole title, and in a part of the description', async () => {
    const who = await alice({
      v: {
        title: 'Bread, and bread again',
        description: `${'Nothing here. '.repeat(100)}Then the bread comes. ${'No more. '.repeat(100)}`,
      },
    })
    const [found] = await search(who, 'bread')
    expect(inBrackets(found?.highlights.title ?? null)).toBe('[Bread], and [bread] again')
    expect(inBrackets(found?.highlights.description ?? null)).toContain('the [bread] comes')
    expect(inBrackets(found?.highlights.description ?? null)?.length).toBeLessThan(500)
  })

  it('a text without the word has no highlights', async () => {
    const who = await alice({ v: { title: 'Cake', description: 'bread' } })
    const [found] = await search(who, 'bread')
    expect(found?.highlights.title).toBeNull()
    expect(inBrackets(found?.highlights.description ?? null)).toBe('[bread]')
  })

  it('highlights keep text that looks like HTML, and signs outside ASCII, unchanged', async () => {
    const title = '<script>alert("bread")</script> <b>&amp; “bread”… — 「bread」！'
    const who = await alice({ v: { title, description: title } })
    const [found] = await search(who, 'bread')
    expect(found?.highlights.title?.map(({ text }) => text).join('')).toBe(title)
    expect(found?.highlights.title?.filter(({ match }) => match).map(({ text }) => text)).toEqual([
      'bread',
      'bread',
      'bread',
    ])
  })

  it('marks that are part of a title are text', async () => {
    const title = '\ue000fake\ue001 \u0001bread\u0002 \ue001\ue000'
    const who = await alice({ v: { title, description: '\ue000bread' } })
    const [found] = await search(who, 'bread')
    expect(inBrackets(found?.highlights.title ?? null)).toBe(title.replace('bread', '[bread]'))
    expect(inBrackets(found?.highlights.description ?? null)).toBe('[bread]')
  })

  it.each([
    ['Pokémon Café tour', 'pokemon cafe', '[Pokémon] [Café] tour'],
    ['Zimowa łąka'.normalize('NFD'), 'łąka', 'Zimowa [łąka]'.normalize('NFD')],
    ['Die Straße, die Straßenbahn', 'strasse', 'Die [Straße], die [Straßenbahn]'],
    ['Die Straßenbahn', 'trassenb', 'Die S[traßenb]ahn'],
    ['Die Straßenbahn', 'rasse', 'Die St[raße]nbahn'],
    ['Die Straßenbahn', 'senba', 'Die Stra[ßenba]hn'],
    ['「ﾀﾞﾝｽとＦＵＬＬ」', 'ダンス full', '「[ﾀﾞﾝｽ]と[ＦＵＬＬ]」'],
    ['مَرْحَبًا بالعالم', 'مرحبا', '[مَرْحَبًا] بالعالم'],
  ])('in %s, the original letters are highlighted for %s', async (title, q, highlighted) => {
    const filler = 'Nichts – “schön”, naïve… '.repeat(40)
    const who = await alice({ v: { title, description: `${filler}${title} ${filler}` } })
    const [found] = await search(who, q)
    expect(inBrackets(found?.highlights.title ?? null)).toBe(highlighted)
    expect(inBrackets(found?.highlights.description ?? null)).toContain(highlighted)
  })

  it('the results in a script without spaces have highlights, and other words too', async () => {
    const who = await alice({ v: { title: '日本の料理とBread', description: '料理、料亭' } })
    const [found] = await search(who, '料理 bread')
    expect(inBrackets(found?.highlights.title ?? null)).toBe('日本の[料理]と[Bread]')
    expect(inBrackets(found?.highlights.description ?? null)).toBe('[料理]、料亭')
  })

  it('results of a search by letters have highlights too', async () => {
    const who = await alice({
      v: { title: 'A nightmare', description: `${'Über '.repeat(80)}a NIGHTMARE ${'z '.repeat(500)}` },
    })
    const [found] = await search(who, 'ightmar')
    expect(inBrackets(found?.highlights.title ?? null)).toBe('A n[ightmar]e')
    expect(inBrackets(found?.highlights.description ?? null)).toMatch(/^… .*a N\[IGHTMAR\]E .* …$/s)
  })
})

describe('saving', () => {
  const hostile: [name: string, text: string][] = [
    ['3 MB of distinct words', Array.from({ length: 430_000 }, (_, at) => at.toString(36).padStart(6, 'q')).join(' ')],
    ['one word of 3 MB', 'x'.repeat(3_000_000)],
    ['hyphens without end', Array.from({ length: 500_000 }, (_, at) => at.toString(36)).join('-')],
    [
      'short words of four bytes each',
      Array.from({ length: 60_000 }, (_, at) => String.fromCodePoint(0x20000 + (at % 40_000))).join(' '),
    ],
    ['addresses', Array.from({ length: 90_000 }, (_, at) => `https://${at}.example/${at}/${at}?${at}`).join(' ')],
  ]
  it.each(hostile)('a video with a description of %s is saved, and with such a title too', async (_, text) => {
    const who = await alice({ v: { title: `bread ${text}`, description: `bread ${text}` }, other: { title: 'Bread' } })
    expect((await ids(who, 'bread')).toSorted()).toEqual(['other', 'v'])
    expect((await who.library.videos.find('v'))?.description).toHaveLength(text.length + 6)
  })
})

describe('the history of a channel', () => {
  it('the history of a channel is searched by the same words, newest first, with the number in each state', async () => {
    const who = await alice({
      old: { title: 'Bread, sourdough bread', published_at: new Date('2020-01-01') },
      young: { title: 'Cake', description: 'and bread', published_at: new Date('2026-01-01') },
      other: { title: 'Knives' },
    })
    await alice({ elsewhere: { title: 'Bread' } }, 'elsewhere', who)
    await who.library.downloads.request(['old'])
    const page = await who.library.videos.list({ channel_id: 'c', q: 'bread', limit: 10 })
    expect(page.entries.map(({ video_id }) => video_id)).toEqual(['young', 'old'])
    const counts = await who.library.videos.counts({ channel_id: 'c', q: 'bread' })
    expect(counts).toEqual({ pending: 2, downloading: 0, completed: 0, failed: 0 })
  })
})

describe('a search that takes too long', () => {
  it('a search that takes too long is refused with a sentence, and its query is cancelled', async () => {
    const { user } = await alice({ one: { title: 'Bread' } })
    const release = await holdVideos(sql)
    const asking = searchOf(sql, user.user_id, { longest_ms: 50 }).videos({ q: 'bread', limit: 1 })
    await expect(asking).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('too long') })
    await release()
    expect(
      (await searchOf(sql, user.user_id, { longest_ms: 50_000 }).videos({ q: 'bread', limit: 1 })).entries,
    ).toHaveLength(1)
  })
})
