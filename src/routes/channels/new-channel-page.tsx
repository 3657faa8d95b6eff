/**
 * Shows what an address leads to, with the feeds to choose from, and follows the channel there. In most cases one press follows at once; it
 * can be undone, and what to include can be chosen later.
 *
 * Only our own pages make the service ask another site: a link from elsewhere fills the field and waits for a click.
 */
import { type Context, Hono } from 'hono'
import { type FollowedChannel, followChannel, undoFollow } from '../../domain/channels/channels.ts'
import { bestOf, type Discover, type FeedFinder } from '../../domain/channels/discovery.ts'
import { findByName, type NameSearches } from '../../domain/channels/find-by-name.ts'
import { asksForChoice, type Preview, previewAddress } from '../../domain/channels/preview.ts'
import { getChannel } from '../../domain/get.ts'
import { DomainError } from '../../errors.ts'
import { SiteRefusal } from '../../feed/fetch/answer.ts'
import { addressIn } from '../../feed/pages/addresses.ts'
import { nameIn } from '../../feed/pages/given-address.ts'
import { DiscoverQuery, FollowForm } from '../../schema/channels/channel-api.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { channelPath, included_id, pathWith } from '../../schema/http/paths.ts'
import { isolated } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { knownWords } from '../../views/channels/freshness.tsx'
import { AddPage, FoundPage, NamedChannelsPage } from '../../views/channels/new-channel-page.tsx'
import type { FoundVideo } from '../../views/videos/found-video.tsx'
import type { VideoLooker } from '../../ytdlp/ask/look-at.ts'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { fromAnotherSite } from '../http/same-origin.ts'
import { formPage, orRefusal, valid } from '../http/valid.ts'
import { withWarning } from './channel-page.tsx'

/** `discover` finds the feeds behind any address; `lookAt` asks what the address of a video is; `names` finds channels by name. */
export type Searches = { discover: Discover; lookAt: VideoLooker; names: NameSearches }

export const newChannelPages = (searches: Searches, store: Store) =>
  new Hono<Env>().route('/', previewPages(searches)).route('/', followingPages(searches, store))

const previewPages = ({ discover, lookAt, names }: Searches) =>
  new Hono<Env>().get('/new', async c => {
    const url = sharedAddress(['url', 'text', 'title'].map(name => c.req.query(name) ?? ''))
    // A link on another site fills in the field, but must not make this server fetch anything.
    if (url === '' || fromAnotherSite(c)) return addPage(c, url)
    const read = DiscoverQuery.safeParse({ url })
    if (!read.success) return addPage(c, '', new DomainError('invalid', read.error.issues[0]?.message ?? nothing))
    const name = nameIn(read.data.url)
    if (name !== undefined) return namedChannelsPage(c, names, name)
    const preview = await orRefusal(previewAddress(c.var.library, { discover, lookAt }, read.data.url))
    return preview instanceof DomainError ? addPage(c, url, preview) : previewPage(c, url, preview)
  })

const namedChannelsPage = async (c: Context<Env>, names: NameSearches, name: string): Promise<Response> =>
  c.render(<NamedChannelsPage page={pageOf(c)} name={name} found={await findByName(c.var.library, names, name)} />)

/** Shows what was found, or the field again with the reasons why nothing was found. */
function previewPage(c: Context<Env>, url: string, preview: Preview): Response | Promise<Response> {
  const { discovery, followed, newest } = preview
  const { found } = discovery
  const video = videoIn(preview)
  if (found.length === 0 && (!video || 'refusal' in video)) return addPage(c, url, ...nothingIn(preview))
  return c.render(
    <FoundPage page={pageOf(c)} url={url} found={found} followed={followed} newest={newest} video={video} />,
  )
}

/** The video at the address, if there is one. */
const videoIn = ({ known, looked }: Preview): FoundVideo | undefined => (known ? { known } : looked)

/** Why nothing was found, and all reasons. yt-dlp knows more of a video's address than the search for a feed, if its page could be read. */
function nothingIn({ discovery, looked }: Preview): [DomainError, string[]] {
  const fault = 'fault' in discovery ? discovery.fault : new DomainError('not_a_feed', nothing)
  // The site did not answer, so yt-dlp could say only the same.
  if (isOfConnection(fault) && discovery.tried.length <= 1) return [fault, []]
  if (!looked || !('refusal' in looked)) return [notFound(fault), discovery.tried]
  const is_about_video =
    fault.code === 'not_a_feed' &&
    looked.refusal.code === 'invalid' &&
    !discovery.tried.includes(looked.refusal.message)
  return [notFound(is_about_video ? looked.refusal : fault), [...new Set([...discovery.tried, looked.refusal.message])]]
}

const isOfConnection = (fault: DomainError) =>
  (fault.code === 'feed_failed' || fault.code === 'feed_timeout') && !(fault instanceof SiteRefusal)

/** Apps put the address of a page into any of the three, among other words; see `share_target` in `static/manifest.webmanifest`. */
const sharedAddress = (given: string[]): string =>
  given.map(addressIn).find(address => address !== undefined) ?? given.find(text => text.trim() !== '') ?? ''

const nothing = 'Could not find a channel or a video here.'

/** The headline gives the reason, too. */
const notFound = (fault: DomainError) =>
  new DomainError(fault.code, `${nothing} ${fault.message}`, { cause: fault, retry_after_s: fault.retry_after_s })

const addPage = (c: Context<Env>, url: string, refusal?: DomainError, tried: string[] = []) =>
  formPage(c, <AddPage page={pageOf(c)} url={url} error={refusal?.message} tried={tried} />, refusal)

/** Follows the channel at an address, undoes that, and leads to the choice of what to include. */
const followingPages = (searches: Searches, store: Store) =>
  new Hono<Env>()
    .post(
      '/',
      valid('form', FollowForm, (c, { fields, code }) => addPage(c, '', new DomainError(code, fields.url ?? ''))),
      async c => {
        const { url, chosen } = c.req.valid('form')
        if (chosen !== undefined) return follow(c, url, bestOf(searches.discover))
        const name = nameIn(url)
        if (name !== undefined) return namedChannelsPage(c, searches.names, name)
        const preview = await orRefusal(previewAddress(c.var.library, searches, url))
        if (preview instanceof DomainError) return addPage(c, url, preview)
        const { discovery } = preview
        if (!('best' in discovery) || asksForChoice(preview)) return previewPage(c, url, preview)
        return follow(c, url, async () => discovery.best, discovery.found.length > 1)
      },
    )

    .get('/:channel_id/feeds', async c => {
      const { page_url, rss_url } = await getChannel(c.var.library, c.req.param('channel_id'))
      return c.redirect(`${pathWith('/channels/new', { url: page_url ?? rss_url })}#${included_id}`, 303)
    })

    .post('/:channel_id/undo-follow', async c => {
      const channel_id = c.req.param('channel_id')
      const { title } = await getChannel(c.var.library, channel_id)
      const stays = await undoFollow(c.var.library, store, channel_id)
      return goTo(c, stays ? channelPath({ channel_id }) : '/channels', `No longer following ${isolated(title)}.`)
    })

/** `has_choice`: the channel has several feeds, and the person has not chosen one. */
async function follow(c: Context<Env>, url: string, findFeed: FeedFinder, has_choice = false) {
  const followed = await orRefusal(followChannel(c.var.library, findFeed, url))
  if (followed instanceof DomainError) return addPage(c, url, followed)
  return goTo(c, channelPath(followed.channel), messageOf(followed, has_choice))
}

function messageOf({ channel, created, switched }: FollowedChannel, has_choice: boolean): Flash {
  const { channel_id } = channel
  const title = isolated(channel.title)
  if (switched) return withWarning(channel, `Following ${title}: from now on, what you chose.`)
  if (!created)
    return {
      ...withWarning(channel, `You already follow ${title}.`),
      followed: { channel_id, has_choice, already: true },
    }
  const undo = { do: 'unfollow', channel_id } as const
  const text = `Following ${title}. ${knownWords(channel)}`
  return { ...withWarning(channel, text), undo, followed: { channel_id, has_choice } }
}
