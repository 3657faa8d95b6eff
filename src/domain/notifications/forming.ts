/** What a message says: rows of the outbox become a title, a text and a list of videos, in plain words. Pure. */
import { z } from 'zod'
import type { MessageBody, NamedVideo, OutboxRow } from '../../db/notifications/messages.ts'
import { status_path, watchPath } from '../../schema/http/paths.ts'
import { type MessageEvent, max_videos_named } from '../../schema/notifications/message.ts'
import { bytesWords, countWords, isolated, numberWords } from '../../schema/values/words.ts'

/** The most lines of a text that names several things. */
const most_lines = 10

/** `undefined`: everything that the message would name is gone. `public_url`: PUBLIC_URL; without it, a message has no addresses. */
export function formMessage(
  public_url: string | undefined,
  event: MessageEvent,
  rows: OutboxRow[],
  named: NamedVideo[],
): MessageBody | undefined {
  const [latest] = rows
  const words = latest && wordsAbout[event](rows, named)
  if (!words) return undefined
  const urlOf = (path: string) => (public_url === undefined ? null : public_url.replace(/\/+$/, '') + path)
  const videos = named.map(video => ({ ...video, url: urlOf(watchPath(video)) }))
  return { at: latest.created_at.toISOString(), title: words.title, text: words.text, url: urlOf(words.path), videos }
}

/** `path`: the page to open. */
type Words = { title: string; text: string; path: string }

const wordsAbout: Record<MessageEvent, (rows: OutboxRow[], named: NamedVideo[]) => Words | undefined> = {
  new_video: newVideos,
  download_completed: (_, named) => completedDownloads(named),
  download_failed: failedDownloads,
  space: ([latest]) => spaceWords(latest?.details),
  service: serviceWords,
}

/** Does not count the rows of a channel that is gone, a video that is gone, and a second row of one video. */
function newVideos(rows: OutboxRow[], named: NamedVideo[]): Words | undefined {
  const here = rows.filter(({ channel_title }) => channel_title !== null)
  const listed = new Set(here.flatMap(({ video_ids }) => video_ids)).size
  const unlisted = here.reduce((sum, { videos, video_ids }) => sum + videos - video_ids.length, 0)
  const found = unlisted + (listed <= max_videos_named ? named.length : listed)
  const channels = new Map(here.map(({ channel_id, channel_title }) => [channel_id, channel_title ?? '']))
  const [name = ''] = channels.values()
  const where = channels.size === 1 ? isolated(name) : countWords(channels.size, 'channel')
  return aboutVideos(named, found, '/', {
    one: ({ title, channel_title }) => ({ title, text: `New in ${isolated(channel_title)}.` }),
    title: `${countWords(found, 'new video')} in ${where}`,
    line: channels.size === 1 ? ({ title }) => isolated(title) : titleIn,
  })
}

const titleIn = ({ title, channel_title }: NamedVideo) => `${isolated(channel_title)}: ${isolated(title)}`

const completedDownloads = (named: NamedVideo[]): Words | undefined =>
  aboutVideos(named, named.length, '/downloads', {
    one: ({ title, channel_title }) => ({ title: `Downloaded: ${title}`, text: `${isolated(channel_title)}.` }),
    title: `${countWords(named.length, 'download is', 'downloads are')} complete`,
    line: titleIn,
  })

const Failed = z.object({ error: z.string() })

function failedDownloads(rows: OutboxRow[], named: NamedVideo[]): Words | undefined {
  const errors = new Map(rows.map(({ video_ids: [id], details }) => [id, Failed.safeParse(details).data?.error]))
  const why = ({ video_id }: NamedVideo) => errors.get(video_id) ?? ''
  return aboutVideos(named, named.length, '/downloads', {
    one: video => ({ title: `Not downloaded: ${video.title}`, text: why(video) }),
    title: `${countWords(named.length, 'video')} could not be downloaded`,
    line: video => `${isolated(video.title)}: ${why(video)}`,
  })
}

type VideoWords = {
  one(video: NamedVideo): Pick<Words, 'title' | 'text'>
  title: string
  line(video: NamedVideo): string
}

/** About one video, or about several, with a line for each. `path`: of the page that shows several. */
function aboutVideos(named: NamedVideo[], count: number, path: string, words: VideoWords): Words | undefined {
  const [only] = named
  if (!only) return undefined
  if (count === 1) return { ...words.one(only), path: watchPath(only) }
  return { title: words.title, text: lines(named.map(words.line), count), path }
}

/** Strict: a row that a version before migration 000033 has sent has `sent` too, and is not sent again. */
const Space = z.strictObject({ used_bytes: z.number(), quota_bytes: z.number() })

function spaceWords(details: unknown): Words | undefined {
  const { data } = Space.safeParse(details)
  return (
    data && {
      title: 'Your disk space is nearly full',
      text: `Your files use ${bytesWords(data.used_bytes)} of ${bytesWords(data.quota_bytes)}. Delete some files so that new videos can be downloaded.`,
      path: '/space',
    }
  )
}

/** `begun`: sentences of what is wrong. `ended`: sentences of what was. */
const Service = z.object({ begun: z.array(z.string()).default([]), ended: z.array(z.string()).default([]) })

function serviceWords(rows: OutboxRow[]): Words | undefined {
  const all = rows.toReversed().map(({ details }) => Service.parse(details))
  const begun = [...new Set(all.flatMap(({ begun }) => begun))]
  const ended = [...new Set(all.flatMap(({ ended }) => ended))].map(sentence => `Over: ${sentence}`)
  if (begun.length + ended.length === 0) return undefined
  return {
    title: begun.length > 0 ? 'Backlot needs attention' : 'Backlot is in order again',
    text: [...begun, ...ended].join('\n'),
    path: status_path,
  }
}

/** The first lines, and how many more there are. */
function lines(all: string[], count: number): string {
  const shown = all.slice(0, most_lines)
  const left = count - shown.length
  return [...shown, ...(left > 0 ? [`and ${numberWords(left)} more`] : [])].join('\n')
}
