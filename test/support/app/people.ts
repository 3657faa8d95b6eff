/** In this process, in the database: people and their channels. Alice owns; bob must not see. */
import { randomBytes } from 'node:crypto'
import { sessionsIn } from '../../../src/auth/sessions.ts'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { type Library, libraryOf } from '../../../src/db/library.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import type { User } from '../../../src/schema/values/user.ts'

export type Person = { user: User; library: Library; cookie: string }

/** The first account is an administrator, who cannot be deleted. So the people of tests come after one whom no test needs. */
export const someoneFirst = (sql: Sql) => sql`
  insert into users (username, password_hash)
  select 'the-first', 'not a hash'
  where  not exists (select from users)
  on conflict do nothing`

/** A new member, signed in. A suffix makes the username unique. */
export async function person(sql: Sql, name: string): Promise<Person> {
  await someoneFirst(sql)
  const user = await accountsIn(sql).create(`${name}-${randomBytes(4).toString('hex')}`, 'not a hash')
  if (typeof user !== 'object') throw new Error(`there is a ${name} already`)
  return { user, library: libraryOf(sql, user.user_id), ...(await sessionOf(sql, user)) }
}

/** A further session of a person. */
export async function sessionOf(sql: Sql, user: User): Promise<Pick<Person, 'cookie'>> {
  const [stored] = await sql<{ password_hash: string | null }[]>`
    select password_hash from users where id = ${user.user_id}`
  const begun = await sessionsIn(sql).begin({ ...user, password_hash: stored?.password_hash ?? null }, false)
  return { cookie: `session=${begun?.token}` }
}

/** A new member, signed in, who has no password. */
export async function withoutPassword(sql: Sql, name: string): Promise<Person> {
  const made = await person(sql, name)
  await sql`update users set password_hash = null where id = ${made.user.user_id}`
  return made
}

/** A new administrator, signed in. */
export async function administrator(sql: Sql, name: string): Promise<Person> {
  const made = await person(sql, name)
  await sql`update users set role = 'admin' where id = ${made.user.user_id}`
  return { ...made, user: { ...made.user, role: 'admin' } }
}

export const entry = (video_id: string, more: Partial<FeedEntry> = {}): FeedEntry => ({
  video_id,
  video_url: `https://videos.example/${video_id}`,
  title: `Video ${video_id}`,
  thumbnail_url: `https://videos.example/${video_id}.jpg`,
  description: `About ${video_id}`,
  published_at: new Date('2026-05-01T12:00:00Z'),
  ...more,
})

/** Follows a channel with these videos; a video that is only an id gets usual texts. */
export async function follows(
  { library }: Person,
  channel_id: string,
  videos: (string | FeedEntry)[],
  changes: { title?: string; rss_url?: string; image_url?: string } = {},
): Promise<void> {
  const channel = { channel_id, title: `Channel ${channel_id}`, rss_url: `https://videos.example/${channel_id}.xml` }
  await library.channels.save(
    { ...channel, ...changes },
    videos.map(video => (typeof video === 'string' ? entry(video) : video)),
  )
}

/** A new person who follows one channel with these videos. */
export async function personWith(sql: Sql, name: string, channel_id: string, video_ids: string[]): Promise<Person> {
  const made = await person(sql, name)
  await follows(made, channel_id, video_ids)
  return made
}

/** A new person who follows a channel of videos about bread, with markup in their titles. */
export async function breadKitchen(sql: Sql, name: string, videos = 3): Promise<Person> {
  const made = await person(sql, name)
  const channel = { channel_id: 'kitchen', title: 'Bread Kitchen', rss_url: 'https://videos.example/kitchen' }
  const all = Array.from({ length: videos }, (_, at) => entry(`v${at}`, { title: `Bread ${at} <b>` }))
  await made.library.channels.save(channel, all)
  return made
}

/** What is noted of a video: whether it was watched, and the position. */
export async function viewing({ library }: Person, video_id: string) {
  const { seen_at, position_seconds, duration_seconds } = (await library.videos.find(video_id)) ?? {}
  return { seen: seen_at != null, position_seconds, duration_seconds }
}

/** Has the video on disk, as far as the database knows. */
export async function has(
  { library }: Person,
  video_id: string,
  download_path: string,
  file_size: number,
  subtitles: string[] = [],
): Promise<void> {
  const claim = crypto.randomUUID()
  await library.downloads.request([video_id])
  await library.downloads.start(video_id, claim)
  await library.downloads.finish(
    video_id,
    claim,
    { download_path, file_size, subtitles },
    async () => {},
    async () => {},
  )
}
