/** In the database: alice with downloads in every state, titles of every length, and a channel without videos. */
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Progress } from '../../../src/schema/download.ts'
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
  await finishes(alice, 'done-1', 214_000_000)
  await finishes(alice, 'done-2', 9_400_000_000)
  for (const name of folder ? ['done-1', 'done-2'] : []) {
    const file = join(folder ?? '', alice.user.user_id, 'kitchen', `${name}.mp4`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'not really a video')
  }
  await fails(alice, 'failed', 'For members of the channel only. Nothing to retry; it may open later.')
  await fails(alice, 'retrying', 'The site asks us to slow down.', new Date(Date.now() + 600_000))
  await runs(alice, 'running')
  await library.downloads.request(['waiting-1', 'waiting-2'])
  return alice
}

/** Returns the claim of the run. */
export async function runs({ library }: Person, video_id: string, progress = half): Promise<string> {
  const claim = randomUUID()
  await library.downloads.request([video_id])
  await library.downloads.start(video_id, claim)
  await library.downloads.beat(video_id, claim, progress)
  return claim
}

export async function finishes(alice: Person, video_id: string, file_size: number): Promise<void> {
  const claim = await runs(alice, video_id)
  const download_path = `${alice.user.user_id}/kitchen/${video_id}.mp4`
  await alice.library.downloads.finish(video_id, claim, { download_path, file_size }, async () => {})
}

export async function fails(
  alice: Person,
  video_id: string,
  download_error: string,
  next_attempt_at: Date | null = null,
): Promise<void> {
  const claim = await runs(alice, video_id)
  await alice.library.downloads.fail(video_id, claim, {
    download_error,
    download_detail: 'ERROR: raw',
    next_attempt_at,
  })
}
