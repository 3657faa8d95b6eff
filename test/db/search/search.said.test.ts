/** What is found because it is said in a video, and where. */
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

/** A person with these videos, the newest first, each with its title and what is said in it every ten seconds. */
async function speaks(name: string, videos: Record<string, { title?: string; lines?: string[] }>): Promise<Person> {
  const made = await person(sql, name)
  const entries = Object.entries(videos).map(([id, { title = 'A video' }], at) =>
    entry(id, { title, description: null, published_at: new Date(Date.UTC(2026, 3, 28 - at)) }),
  )
  await made.library.channels.save({ channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c' }, entries)
  for (const [id, { lines = [] }] of Object.entries(videos)) {
    const spoken = lines.map((text, at) => ({ start_seconds: at * 10, text }))
    await made.library.transcripts.save(id, { language: 'en', automatic: false, lines: spoken })
  }
  return made
}
const search = ({ library }: Person, q: string, limit = 24, cursor?: string) =>
  library.search.videos({ q, limit, cursor })
const ids = async (who: Person, q: string) => (await search(who, q)).entries.map(({ video_id }) => video_id)
const filler = (count: number) => Array.from({ length: count }, () => 'we go on')

describe('a search in what is said', () => {
  it('finds videos after those that match by title and description, the newest first', async () => {
    const alice = await speaks('alice', {
      newest: { lines: ['fold the sourdough'] },
      titled: { title: 'Sourdough' },
      oldest: { lines: ['sourdough again'] },
      other: { lines: ['knives'] },
    })
    expect(await ids(alice, 'sourdough')).toEqual(['titled', 'newest', 'oldest'])
  })

  it('says where: the line in which the words begin, with the words marked', async () => {
    const alice = await speaks('alice', {
      v: { lines: [...filler(4), 'now fold the', 'sourdough gently', ...filler(3)] },
    })

    const [hit] = (await search(alice, 'fold sourd')).entries

    expect(hit?.moments.map(({ start_seconds, text }) => [start_seconds, text])).toEqual([
      [40, 'now fold the sourdough gently we go on we'],
    ])
    expect(hit?.moments[0]?.highlighted.filter(({ match }) => match).map(({ text }) => text)).toEqual([
      'fold',
      'sourdough',
    ])
  })

  it('finds what is said however its letters are written, and marks the letters of the transcript', async () => {
    const alice = await speaks('alice', {
      marked: { lines: ['wir gehen', 'über die Straße'.normalize('NFD'), 'nach Hause'] },
      unspaced: { lines: ['今日はﾀﾞﾝｽ番組'] },
    })
    const highlighted = async (q: string) => {
      const [hit] = (await search(alice, q)).entries
      return hit?.moments[0]?.highlighted.flatMap(({ text, match }) => (match ? text.normalize('NFC') : []))
    }
    expect(await highlighted('uber strasse')).toEqual(['über', 'Straße'])
    expect(await highlighted('ダンス番組')).toEqual(['ﾀﾞﾝｽ番組'])
  })

  it('a video found by its title has its moments too, five at most', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => (at % 6 === 0 ? 'sourdough' : 'we go on'))
    const alice = await speaks('alice', { v: { title: 'Sourdough', lines } })
    expect((await search(alice, 'sourdough')).entries.map(({ moments }) => moments.length)).toEqual([5])
  })

  it('a sentence across the border of two moments is found, once', async () => {
    const alice = await speaks('alice', {
      v: { lines: [...filler(2), 'the crust must', 'sing in the oven', ...filler(3)] },
    })

    const [hit] = (await search(alice, '"must sing in"')).entries

    expect(hit?.moments.map(({ start_seconds }) => start_seconds)).toEqual([20])
  })

  const said = {
    v: { title: 'An evening', lines: ['butter and bread', ...filler(20), 'salt', '你好世界。面包很好吃'] },
  }
  it.each([
    ['bread butter', true],
    ['"butter and bread"', true],
    ['"bread and butter"', false],
    ['bread -jam', true],
    ['bread -butter', false],
    ['bread -evening', false],
    ['salt or pepper', true],
    ['bre', true],
    ['bread salt', false],
    ['面包', true],
    ['面包很好', true],
    ['好面包', false],
    ['"', false],
    ['-salt', false],
  ])('%s means the same as in titles', async (q, is_found) => {
    const alice = await speaks('alice', said)
    const [hit] = (await search(alice, q)).entries.filter(({ moments }) => moments.length > 0)
    expect(hit?.video_id).toBe(is_found ? 'v' : undefined)
  })

  it('pages go on from part to part without a gap or a repetition', async () => {
    const names = Array.from({ length: 70 }, (_, at) => `v${String(at).padStart(2, '0')}`)
    const videos = Object.fromEntries(
      names.map((name, at) => [
        name,
        at % 3 === 0 ? { title: 'Rye', lines: ['rye'] } : { lines: [at % 3 === 1 ? 'rye' : 'oats'] },
      ]),
    )
    const alice = await speaks('alice', videos)
    const pages: string[] = []
    let cursor: string | undefined
    do {
      const page = await search(alice, 'rye', 5, cursor)
      pages.push(...page.entries.map(({ video_id }) => video_id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(pages).toEqual([...names.filter((_, at) => at % 3 === 0), ...names.filter((_, at) => at % 3 === 1)])
  })

  it('finds a rare word in the oldest of many videos', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `v${at}`)
    const videos = Object.fromEntries(names.map(name => [name, { lines: [name === 'v59' ? 'quince' : 'oats'] }]))
    expect(await ids(await speaks('alice', videos), 'quince')).toEqual(['v59'])
  })

  it('finds a video of two channels once', async () => {
    const alice = await speaks('alice', { v: { lines: ['rye'] } })
    const twin = { channel_id: 'd', title: 'D', rss_url: 'https://videos.example/d' }
    await alice.library.channels.save(twin, [entry('v', { title: 'A video', description: null })])
    expect(await ids(alice, 'rye')).toEqual(['v'])
  })

  it('finds nothing of another person', async () => {
    await speaks('bob', { v: { lines: ['rye'] }, w: { lines: ['rye'] } })
    const alice = await speaks('alice', { v: { lines: ['oats'] } })
    expect(await ids(alice, 'rye')).toEqual([])
  })

  it('markup and private signs in what is said are text', async () => {
    const alice = await speaks('alice', { v: { lines: ['<b>rye</b> \ue000bread\ue001 <script>'] } })
    const [hit] = (await search(alice, 'rye')).entries
    expect(hit?.moments[0]?.highlighted).toEqual([
      { text: '<b>', match: false },
      { text: 'rye', match: true },
      { text: expect.stringMatching(/^<\/b> .?bread.? <script>$/), match: false },
    ])
  })
})
