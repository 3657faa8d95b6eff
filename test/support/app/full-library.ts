/** In the database: a library as a household has it after some weeks, with 12 channels of 40 videos. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { entry, type Person, person } from './people.ts'
import { fails, finishes, runs } from './scene.ts'

const channels = {
  bench: 'The Repair Bench',
  kitchen: 'Slow Kitchen',
  trains: 'Night Trains of Europe',
  desert: 'وثائقيات الصحراء',
  dunes: '砂丘の記録',
  cinema: 'Кинокухня',
  audio: 'Signal Path Audio',
  steam: 'Donaudampfschifffahrtsgesellschaftsmuseum',
  moss: 'Moss & Fern',
  tiny: 'Tiny Homes, Big Weather',
  maker: 'Maker Mike',
  notes: 'Field Notes',
}

const titles = [
  'Fixing a 1974 tape deck that had lost its belt',
  'Why capacitors leak',
  'The €3 fix that took nine hours and two soldering irons, a borrowed oscilloscope, and a long phone call with a retired engineer in Eindhoven',
  'رحلة عبر الربع الخالي',
  'Room treatment with bookshelves',
  '鳥取砂丘の朝を歩く',
  'Vienna to Rome, couchette, 12 hours',
  'Sourdough for people who are busy #shorts',
]

const described = [
  'Filmed over three weekends with a borrowed camera.\n',
  '0:00 Opening\n0:12 What you need\n0:24 The hard part\n0:40 Results\n0:52 Credits and thanks\n',
  'Tools and links: https://example.com/tools',
  'Music: “Low Tide” by Ana Reyes (CC BY)',
].join('\n')

const hour_ms = 3_600_000

/** The `nth` video of a channel: `bench-0` is its newest one. */
const videoOf = (channel_id: string, at: number, nth: number) => {
  const video_id = `${channel_id}-${nth}`
  return entry(video_id, {
    title: `${titles[(at + nth) % titles.length]}${nth < titles.length ? '' : ` – part ${1 + Math.floor(nth / titles.length)}`}`,
    description: described,
    thumbnail_url: `https://videos.example/${video_id}.jpg`,
    published_at: new Date(Date.now() - (at + 1 + nth * 26) * hour_ms),
    duration_seconds: 60 + ((at * 97 + nth * 211) % 3000),
  })
}

/**
 * Carol follows 12 channels in two groups. Of each channel two videos are on disk and one is watched; six more are queued, one runs and
 * three have failed. `folder`: for the files, which are too short to watch.
 */
export async function fullLibrary(sql: Sql, folder: string): Promise<Person> {
  const carol = await person(sql, 'carol')
  const { library } = carol
  for (const [at, [channel_id, title]] of Object.entries(channels).entries()) {
    const videos = Array.from({ length: 40 }, (_, nth) => videoOf(channel_id, at, nth))
    const page_url = `https://videos.example/${channel_id}`
    await library.channels.save({ channel_id, title, page_url, rss_url: `${page_url}.xml` }, videos)
    for (const nth of [1, 4]) await keeps(carol, folder, `${channel_id}-${nth}`, 60_000_000 * (1 + at + nth))
    await library.viewings.record(`${channel_id}-1`, { seen: true })
  }
  await library.viewings.record('kitchen-4', { position_seconds: 20 })
  const groups = await Promise.all(['Evenings', 'Making'].map(name => library.groups.create(name)))
  for (const [at, channel_id] of Object.keys(channels).entries())
    await library.groups.setOfChannel(channel_id, [groups[at % 2]?.group_id ?? ''])
  for (const video_id of ['trains-2', 'moss-3', 'notes-2']) await library.viewings.record(video_id, { later: true })
  await library.transcripts.save('kitchen-4', { language: 'en', automatic: true, lines: said })
  await fails(
    carol,
    'bench-2',
    'For members of the channel only. Nothing to retry; it may open later.',
    null,
    'members',
  )
  await fails(carol, 'audio-2', "Not available in your server's country.", null, 'geography')
  await fails(carol, 'maker-2', 'The site asks us to slow down.', new Date(Date.now() + 26 * hour_ms))
  await runs(carol, 'bench-0')
  await library.downloads.request(['kitchen-0', 'trains-0', 'desert-0', 'dunes-0', 'cinema-0', 'audio-0'])
  return carol
}

const said = Array.from({ length: 15 }, (_, at) => ({
  start_seconds: 4 * at,
  text: at % 5 === 2 ? 'and then dip the bread into it' : 'let it simmer for a while and stir it now and then',
}))

async function keeps(carol: Person, folder: string, video_id: string, file_size: number): Promise<void> {
  await finishes(carol, video_id, file_size)
  const file = join(folder, carol.user.user_id, 'kitchen', `${video_id}.mp4`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'not really a video')
}
