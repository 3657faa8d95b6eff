/** In the database: alice with downloads in every state, titles of every length, and a channel without videos. */
import { hash, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Progress } from '../../../src/schema/downloads/download.ts'
import type { Reason } from '../../../src/schema/downloads/run.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import type { FileStreams } from '../../../src/schema/sources/streams.ts'
import { entry, type Person, person } from './people.ts'

export const half: Progress = {
  phase: 'downloading',
  percent: 42.6,
  downloaded_bytes: 310_000_000,
  total_bytes: 738_000_000,
  speed: 6_100_000,
  eta_seconds: 70,
}

const titles: Record<string, string> = {
  running: 'Bread for people who have no time',
  'waiting-1':
    'A very long title that goes on and on about one loaf of bread, its crumb, its crust and what the neighbours said of it when they came by',
  'waiting-2': 'Supercalifragilisticexpialidocious'.repeat(4),
  failed: 'Members only: the oven',
  retrying: 'A site that asks us to slow down',
  'done-1': 'Soup',
  'done-2': 'Dumplings, again',
  wanted: 'Not asked for',
}

/** Ten minutes of what is said in `done-1`. */
const said = Array.from({ length: 150 }, (_, at) => ({
  start_seconds: 4 * at,
  text:
    at % 20 === 7
      ? 'and then dip the bread into it while it is warm'
      : 'let it simmer for a while and stir it now and then',
}))

/** `folder`: for the files on disk, which are too short to watch. */
export async function scene(sql: Sql, folder?: string): Promise<Person> {
  const alice = await person(sql, 'alice')
  const { library } = alice
  await library.channels.save(
    { channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://videos.example/kitchen.xml' },
    Object.entries(titles).map(([video_id, title]) => entry(video_id, { title })),
  )
  await library.channels.save(
    { channel_id: 'empty', title: 'Nothing yet', rss_url: 'https://videos.example/empty.xml' },
    [],
  )
  await library.channels.addVideo(
    { channel_id: 'films', title: 'Films', page_url: 'https://videos.example/films' },
    entry('single', { title: 'A single film' }),
  )
  await library.searches.create({ name: 'Bread, newest first', q: 'bread', sort: 'newest' })
  await addPlaylist(sql, alice)
  await finishes(alice, 'done-1', 214_000_000)
  await finishes(alice, 'done-2', 9_400_000_000)
  await library.transcripts.save('done-1', { language: 'en', automatic: true, lines: said })
  if (folder) await writeFiles(folder, alice, ['done-1', 'done-2'])
  await fails(alice, 'failed', 'For members of the channel only. Nothing to retry; it may open later.')
  // At any hour its time has many words: "tomorrow at 11:30 PM", or with a weekday.
  await fails(alice, 'retrying', 'The site asks us to slow down.', new Date(Date.now() + 26 * 3_600_000))
  await runs(alice, 'running')
  await library.downloads.request(['waiting-1', 'waiting-2'])
  return alice
}

/** The id of a playlist, a group, a target and an import, so that `pages.ts` can name their pages. */
export const known_id = '11111111-1111-4111-8111-111111111111'

/** The secret of a link to a new password, and of one to a film. */
export const known_token = '1'.repeat(64)

/** Adds what has a page of its own: a group, a target for messages, a media server, an import, links to a new password and a film. */
export async function addOpenedByName(sql: Sql, { user: { user_id } }: Person): Promise<void> {
  const group = { user_id, group_id: known_id, name: 'A group whose name needs two lines on a phone' }
  await sql`insert into groups ${sql(group)}`
  await sql`insert into channel_groups ${sql({ user_id, group_id: known_id, channel_id: 'kitchen' })}`
  const address = 'https://hooks.example/of/an/address/that/needs/two/lines/on/a/phone'
  const target = { user_id, target_id: known_id, kind: 'webhook', address, events: ['download_failed'] }
  await sql`insert into notification_targets ${sql(target)}`
  const server = {
    user_id,
    server_id: known_id,
    kind: 'jellyfin',
    address: 'http://192.168.178.5:8096',
    sealed_key: Buffer.alloc(40),
  }
  const fault = 'The server could not be reached.'
  await sql`insert into media_servers ${sql({ ...server, failing_since: new Date(Date.now() - 86_400_000), fault })}`
  await sql`insert into imports ${sql({ user_id, id: known_id, kind: 'opml', finished_at: new Date() })}`
  const line = { user_id, import_id: known_id, address, outcome: 'failed', message: 'The site does not answer.' }
  await sql`insert into import_lines ${sql([0, 1].map(position => ({ ...line, position })))}`
  const secret = { user_id, hash: hash('sha256', known_token), expires_at: new Date(Date.now() + 86_400_000) }
  await sql`insert into secrets ${sql({ ...secret, kind: 'share', opens: sql.json({ video_id: 'done-1' }) })}`
  await sql`insert into secrets ${sql({ ...secret, kind: 'reset' })}`
}

async function addPlaylist(sql: Sql, { user: { user_id }, library }: Person): Promise<void> {
  const playlist_id = known_id
  await sql`insert into playlists ${sql({ user_id, playlist_id, name: 'A list whose name needs two lines on a phone' })}`
  await library.playlists.addVideos(playlist_id, ['done-1', 'waiting-1', 'failed', 'running', 'wanted'])
  await library.playlists.create('Nothing in it')
}

/** Of a file that not every device plays. */
const rare_streams: FileStreams = {
  video: {
    codec: 'av1',
    profile: 'Main',
    width: 3840,
    height: 2160,
    frame_rate: 59.94,
    bits: 10,
    is_hdr: true,
  },
  sounds: [
    { codec: 'aac', channels: 2, language: 'de', title: null },
    { codec: 'aac', channels: 2, language: 'en', title: 'Commentary by the people who baked the bread' },
  ],
  duration_seconds: 60,
  is_compatible: false,
}

/** A channel whose videos have everything that a platform may say about a video. `fact-kept` and `fact-day` are on disk. */
export async function addFacts(alice: Person, folder: string): Promise<void> {
  const published_at = new Date('2023-03-05T00:00:00Z')
  const told: Record<string, Partial<FeedEntry>> = {
    short: { duration_seconds: 724, title: titles['waiting-1'] ?? '' },
    long: { duration_seconds: 360_000 },
    live: { live_status: 'live' },
    upcoming: { live_status: 'upcoming' },
    recording: { live_status: 'was_live', duration_seconds: 7200 },
    members: { availability: 'members_only', duration_seconds: 60, title: titles['waiting-2'] ?? '' },
    adult: { availability: 'age_restricted', duration_seconds: 60 },
    private: { availability: 'private' },
    unlisted: { availability: 'unlisted' },
    lost: { availability: 'removed', duration_seconds: 60 },
    kept: { availability: 'removed', duration_seconds: 60 },
    day: { published_at, published_precision: 'day' },
    approximate: { published_at, published_precision: 'approximate', duration_seconds: 60 },
  }
  await alice.library.channels.save(
    {
      channel_id: 'facts',
      title: 'A channel whose name is long enough for two lines',
      rss_url: 'https://videos.example/facts.xml',
    },
    Object.entries(told).map(([name, more]) =>
      entry(`fact-${name}`, { title: `What is told: ${name} bread`, ...more }),
    ),
  )
  await finishes(alice, 'fact-kept', 214_000_000, rare_streams)
  await finishes(alice, 'fact-day', 236_000_000, rare_streams)
  await writeFiles(folder, alice, ['fact-kept', 'fact-day'])
  await fails(alice, 'fact-adult', "Members only. We'll keep checking.")
  await alice.library.viewings.record('fact-long', { seen: true })
  await alice.library.viewings.record('fact-kept', { position_seconds: 20 })
}

async function writeFiles(folder: string, { user }: Person, names: string[]): Promise<void> {
  for (const name of names) {
    const file = join(folder, user.user_id, 'kitchen', `${name}.mp4`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'not really a video')
  }
}

/** Returns the claim of the run. */
export async function runs({ library }: Person, video_id: string, progress = half): Promise<string> {
  const claim = randomUUID()
  await library.downloads.request([video_id])
  await library.downloads.start(video_id, claim)
  await library.downloads.beat(video_id, claim, progress)
  return claim
}

/** `streams`: what the file contains; absent: it was not read. */
export async function finishes(
  alice: Person,
  video_id: string,
  file_size: number,
  streams?: FileStreams,
): Promise<void> {
  const claim = await runs(alice, video_id)
  const download_path = `${alice.user.user_id}/kitchen/${video_id}.mp4`
  await alice.library.downloads.finish(
    video_id,
    claim,
    { download_path, file_size, ...(streams && { in_file: { duration_seconds: null, streams } }) },
    async () => {},
    async () => {},
  )
}

export async function fails(
  alice: Person,
  video_id: string,
  download_error: string,
  next_attempt_at: Date | null = null,
  reason: Reason | null = null,
): Promise<void> {
  const claim = await runs(alice, video_id)
  await alice.library.downloads.fail(video_id, claim, {
    download_error,
    download_detail: 'ERROR: raw',
    next_attempt_at,
    reason,
  })
}
