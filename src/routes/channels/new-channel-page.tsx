/**
 * Shows what an address leads to before anything is saved, with the feeds to choose from.
 *
 * Only our own pages make the service ask another site: a link from elsewhere fills the field and waits for a click.
 */
import { type Context, Hono } from 'hono'
import type { Discover } from '../../domain/channels/discovery.ts'
import { findByName, type NameSearches } from '../../domain/channels/find-by-name.ts'
import { type Preview, previewAddress } from '../../domain/channels/preview.ts'
import { DomainError } from '../../errors.ts'
import { nameIn } from '../../feed/pages/given-address.ts'
import { DiscoverQuery } from '../../schema/channels/channel-api.ts'
import { AddPage, FoundPage, NamedChannelsPage } from '../../views/channels/new-channel-page.tsx'
import type { FoundVideo } from '../../views/videos/found-video.tsx'
import type { VideoLooker } from '../../ytdlp/run/look-at.ts'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { fromAnotherSite } from '../http/same-origin.ts'
import { formPage, orRefusal } from '../http/valid.ts'

/** `discover` finds the feeds behind any address; `lookAt` asks what the address of a video is; `names` finds channels by name. */
export type Searches = { discover: Discover; lookAt: VideoLooker; names: NameSearches }

export const newChannelPages = ({ discover, lookAt, names }: Searches) =>
  new Hono<Env>().get('/', async c => {
    const url = sharedAddress(c.req.query('url'), c.req.query('text'))
    // A link on another site fills in the field, but must not make this server fetch anything.
    if (url === '' || fromAnotherSite(c)) return addPage(c, url)
    const read = DiscoverQuery.safeParse({ url })
    if (!read.success) return addPage(c, '', new DomainError('invalid', read.error.issues[0]?.message ?? nothing))
    const name = nameIn(read.data.url)
    if (name !== undefined) return namedPage(c, names, name)
    const preview = await orRefusal(previewAddress(c.var.library, { discover, lookAt }, read.data.url))
    return preview instanceof DomainError ? addPage(c, url, preview) : previewPage(c, url, preview)
  })

/** The channels with this name. */
export const namedPage = async (c: Context<Env>, names: NameSearches, words: string): Promise<Response> =>
  c.html(<NamedChannelsPage page={pageOf(c)} words={words} found={await findByName(c.var.library, names, words)} />)

/** What was found, or the field again with the reasons why nothing was. */
export function previewPage(c: Context<Env>, url: string, preview: Preview): Response | Promise<Response> {
  const { discovery, followed, newest } = preview
  const { found } = discovery
  const video = shownVideo(preview)
  if (found.length === 0 && (!video || 'refusal' in video)) return addPage(c, url, ...nothingIn(preview))
  return c.html(
    <FoundPage page={pageOf(c)} url={url} found={found} followed={followed} newest={newest} video={video} />,
  )
}

/** What the page says of the video at the address; undefined: nothing. */
const shownVideo = ({ known, looked }: Preview): FoundVideo | undefined => (known ? { known } : looked)

/** Why nothing was found, and all reasons. yt-dlp knows more of a video's address than the search for a feed, if its page could be read. */
function nothingIn({ discovery, looked }: Preview): [DomainError, string[]] {
  const fault = 'fault' in discovery ? discovery.fault : new DomainError('not_a_feed', nothing)
  if (!looked || !('refusal' in looked)) return [notFound(fault), discovery.tried]
  const is_about_video =
    fault.code === 'not_a_feed' &&
    looked.refusal.code === 'invalid' &&
    !discovery.tried.includes(looked.refusal.message)
  return [notFound(is_about_video ? looked.refusal : fault), [...new Set([...discovery.tried, looked.refusal.message])]]
}

/** Most phones share a page's address inside a text; see `share_target` in `static/manifest.webmanifest`. */
const sharedAddress = (url = '', text = ''): string => url || (/https?:\/\/\S+/.exec(text)?.[0] ?? text)

const nothing = 'Could not find a channel or a video here.'

/** The headline gives the reason, too. */
const notFound = (fault: DomainError) =>
  new DomainError(fault.code, `${nothing} ${fault.message}`, {
    cause: fault,
    ...(fault.retry_after_s !== undefined && { retry_after_s: fault.retry_after_s }),
  })

export const addPage = (c: Context<Env>, url: string, refusal?: DomainError, tried: string[] = []) =>
  formPage(c, <AddPage page={pageOf(c)} url={url} error={refusal?.message} tried={tried} />, refusal)
