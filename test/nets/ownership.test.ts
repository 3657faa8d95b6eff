/** Reads every query that names an owned table, and tries the database's own refusals. */
import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { follows, person } from '../support/app/people.ts'

const { sql } = useDatabase()

/** Pieces of queries that are closed where they are put in. */
const pieces = [
  'left join viewings viewing on viewing.user_id = entry.user_id',
  'not exists (\n    select from video_entries twin',
  'c.channel_id) as entry_count',
  'from   imports\n    cross join lateral',
  // Whose a token is, is what is asked.
  'from   api_tokens\n        where  hash = ',
]

describe('every query that names an owned table', async () => {
  // Queries in `across/` may cross users; only jobs import them (see the architecture net).
  const files = (await readdir('src/db', { recursive: true })).filter(
    name => name.endsWith('.ts') && !name.startsWith('across/'),
  )
  const texts = await Promise.all(files.map(async name => ({ name, text: await readFile(`src/db/${name}`, 'utf8') })))
  const queries = texts.flatMap(({ name, text }) => templates(text).map(query => ({ name, query })))
  const owned = queries.filter(
    ({ query }) =>
      !pieces.some(piece => query.includes(piece)) &&
      /\b(?:from|join|into|update)\s+(?:channels|channel_rules|video_entries|viewings|imports|import_lines|api_tokens)\b/.test(
        query,
      ),
  )

  it('is found', () => expect(owned.length).toBeGreaterThan(8))

  it.each(owned.map(({ name, query }) => [`${name}: ${query.replace(/\s+/g, ' ').trim().slice(0, 70)}`, query]))(
    'is closed over the owner: %s',
    (_, query) => {
      expect(query).toMatch(/\$\{mine\}|\$\{user_id\}/)
    },
  )
})

it('is nowhere outside db/', async () => {
  const folders = ['src/routes', 'src/domain', 'src/views', 'src/feed', 'src/ytdlp', 'src/auth', 'jobs']
  for (const folder of folders) {
    for (const name of (await readdir(folder, { recursive: true })).filter(name => /\.tsx?$/.test(name))) {
      expect(await readFile(`${folder}/${name}`, 'utf8'), name).not.toMatch(
        /\b(?:from|into|update)\s+(?:channels|channel_rules|video_entries|viewings|imports|import_lines|api_tokens)\b/,
      )
    }
  }
})

it('refuses an entry of one user under another one’s channel', async () => {
  const alice = await person(sql, 'alice')
  const bob = await person(sql, 'bob')
  await follows(alice, 'hers', [])

  const smuggled = sql`
    insert into video_entries (user_id, channel_id, video_id, video_url, title)
    values (${bob.user.user_id}, 'hers', 'v1', 'https://videos.example/v1', 'smuggled')`

  await expect(smuggled).rejects.toThrow(/foreign key/)
})

it('refuses a channel and an entry without an owner', async () => {
  const channel = sql`insert into channels (channel_id, title, rss_url) values ('c', 't', 'https://videos.example/c')`
  await expect(channel).rejects.toThrow(/user_id/)
  const video = sql`insert into video_entries (channel_id, video_id, video_url, title) values ('c', 'v', 'https://videos.example/v', 't')`
  await expect(video).rejects.toThrow(/user_id/)
})

/** The tagged templates of a source, with what stands inside their braces. */
function templates(text: string): string[] {
  const found: string[] = []
  for (const start of text.matchAll(/\b(?:sql|tx)(?:<[^`]*?>)?`/g)) {
    let depth = 0
    let end = start.index + start[0].length
    for (; end < text.length; end++) {
      if (text.startsWith('${', end)) depth++
      else if (text[end] === '}' && depth > 0) depth--
      else if (text[end] === '`' && depth === 0) break
    }
    found.push(text.slice(start.index, end))
  }
  return found
}
