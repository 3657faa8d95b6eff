/** What was found at an address: a video to add, a channel to follow, or both; or the field again, with the reasons. */
import type { Child } from 'hono/jsx'
import type { Channel } from '../../schema/channels/channel.ts'
import type { FoundByName } from '../../schema/channels/channel-api.ts'
import { channelPath, included_id, webUrl } from '../../schema/http/paths.ts'
import type { FeedKind, FoundFeed } from '../../schema/sources/discovery.ts'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { countWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { LineFacts } from '../parts/about-video.tsx'
import { AddChannel } from '../parts/add-channel.tsx'
import { Avatar, Thumbnail } from '../parts/thumbnails.tsx'
import { Button, Post } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { Ago, PublishedAgo } from '../ui/times.tsx'
import { type FoundVideo, FoundVideoCard, refusedTitle } from '../videos/found-video.tsx'

type AddProps = { page: PageContext; url: string; error?: string | undefined; tried?: string[] }

export const AddPage = ({ page, url, error, tried = [] }: AddProps) => (
  <Layout page={page} title="Follow a channel or add a video">
    <Heading title="Follow a channel or add a video" />
    <AddChannel url={url} error={error} />
    {tried.length > 1 && (
      <section class="tried" aria-labelledby="tried">
        <h2 id="tried">Why</h2>
        <ol>
          {tried.map(sentence => (
            <li>{sentence}</li>
          ))}
        </ol>
      </section>
    )}
  </Layout>
)

type FoundPageProps = {
  page: PageContext
  url: string
  /** The feeds of the channel, the best first; empty: none was found. */
  found: FoundFeed[]
  followed: Channel | undefined
  newest: FeedEntry[]
  /** What the address itself is, where it is not only a channel. */
  video?: FoundVideo | undefined
}

export const FoundPage = ({ page, url, found, followed, newest, video }: FoundPageProps) => (
  <Layout page={page} title={video ? titleOf(video) : `Follow ${found[0]?.title ?? url}`}>
    {video && <FoundVideoCard found={video} url={url} now={page.now} can_follow={found.length > 0} />}
    {found.length > 0 && (
      <FoundChannel page={page} found={found} followed={followed} newest={newest} heading={video ? 'h2' : 'h1'} />
    )}
    <AddChannel again url={url} />
  </Layout>
)

function titleOf(video: FoundVideo): string {
  if ('known' in video) return video.known.title
  if ('refusal' in video) return refusedTitle(video.refusal.code)
  return ('list' in video ? video.list.title : video.video.title) ?? 'What was found'
}

type FoundChannelProps = Pick<FoundPageProps, 'page' | 'found' | 'followed' | 'newest'> & { heading: 'h1' | 'h2' }

/** `heading`: a smaller one below a video. */
const FoundChannel = ({ page, found, followed, newest, heading: Heading }: FoundChannelProps) => (
  <>
    <header class="heading">
      <Heading>
        {Heading === 'h2' && !followed && 'Follow '}
        <bdi>{followed?.title ?? found[0]?.title}</bdi>
      </Heading>
      <p class="quiet">{found[0] && <Contents feed={found[0]} now={page.now} />}</p>
    </header>
    {followed ? (
      <Followed found={found} followed={followed} />
    ) : (
      <FeedForm found={found} kind={Heading === 'h1' ? 'main' : 'plain'} busy="Following…">
        Follow
      </FeedForm>
    )}
    {!followed && newest.length > 0 && <Newest entries={newest} channel={found[0]?.title ?? ''} now={page.now} />}
  </>
)

/** Nothing is asked about a channel that is followed already. */
const Followed = ({ found, followed }: { found: FoundFeed[]; followed: Channel }) => (
  <>
    <p>
      You already follow <bdi>{followed.title}</bdi>.
    </p>
    <p class="actions">
      <a class="button main" href={channelPath(followed)}>
        Open channel
      </a>
    </p>
    {found.length > 1 && (
      <details>
        <summary>Change what is included</summary>
        <div id={included_id}>
          <FeedForm found={found} chosen={followed.rss_url ?? undefined} kind="plain" busy="Saving…">
            Save
          </FeedForm>
        </div>
      </details>
    )}
  </>
)

type FeedFormProps = {
  found: FoundFeed[]
  chosen?: string | undefined
  kind: 'main' | 'plain'
  busy: string
  children?: Child
}

const FeedForm = ({ found, chosen, kind, busy, children }: FeedFormProps) => (
  <form class="card found" method="post" action="/channels">
    <Choices found={found} chosen={chosen} />
    <input type="hidden" name="chosen" value="on" />
    <Button kind={kind} busy={busy}>
      {children}
    </Button>
  </form>
)

const Contents = ({ feed, now }: { feed: FoundFeed; now: Date }) => (
  <>
    {feed.entries === 0 ? 'No videos yet' : countWords(feed.entries ?? 0, 'video')}
    <Ago words=", newest " at={feed.newest_at} now={now} />
  </>
)

const Choices = ({ found, chosen }: { found: FoundFeed[]; chosen: string | undefined }) => {
  const [first] = found
  if (found.length < 2) return <input type="hidden" name="url" value={first?.rss_url} />
  const checked = found.some(({ rss_url }) => rss_url === chosen) ? chosen : first?.rss_url
  return (
    <fieldset class="choices">
      <legend>What to follow</legend>
      {found.map((feed, n) => (
        <label class="checkbox" for={`choice-${n}`}>
          <input id={`choice-${n}`} type="radio" name="url" value={feed.rss_url} checked={feed.rss_url === checked} />
          <span>
            {feed.kind === 'feed' ? feed.title : kinds[feed.kind]}
            {feed.kind === 'feed' && <span class="quiet address"> {feed.rss_url}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const kinds = {
  channel: 'Everything',
  videos: 'Videos only (no Shorts or live)',
  shorts: 'Shorts only',
  live: 'Live only',
  playlist: 'This playlist',
} satisfies Record<Exclude<FeedKind, 'feed'>, string>

type NewestProps = { entries: FeedEntry[]; channel: string; now: Date }

const Newest = ({ entries, channel, now }: NewestProps) => (
  <ul class="grid newest-of-found" aria-label="Newest videos">
    {entries.map(entry => (
      <li class="video">
        <Thumbnail video={{ ...entry, channel_title: channel }} />
        <div class="about">
          <p class="title" dir="auto">
            {entry.title}
          </p>
          <p class="quiet line">
            <LineFacts video={entry} />
            {entry.published_at && <PublishedAgo video={{ ...entry, first_seen_at: now }} now={now} />}
          </p>
        </div>
      </li>
    ))}
  </ul>
)

type NamedProps = { page: PageContext; name: string; found: FoundByName }

/** The channels with a name that a person typed instead of a link, each with a button to follow it. */
export const NamedChannelsPage = ({ page, name, found: { channels, tried } }: NamedProps) => (
  <Layout page={page} title={`Channels named ${name}`}>
    <header class="heading">
      <h1>
        Channels named “<bdi>{name}</bdi>”
      </h1>
    </header>
    {channels.length > 0 ? (
      <Rows class="named" of={channels} row={channel => <Named channel={channel} />} />
    ) : (
      <p class="empty">No channel with this name was found. Paste the link of the channel instead.</p>
    )}
    {tried.map(sentence => (
      <p class="quiet">{sentence}</p>
    ))}
    <AddChannel again url={name} />
  </Layout>
)

const Named = ({ channel: { title, page_url, site, followed } }: { channel: FoundByName['channels'][number] }) => (
  <li class="row">
    <Avatar channel={{ channel_id: page_url, title, picture_url: followed?.picture_url ?? null }} />
    <About
      title={
        <a href={followed ? channelPath(followed) : webUrl(page_url)} rel={followed ? undefined : 'noreferrer'}>
          <bdi>{title}</bdi>
        </a>
      }
    >
      <bdi>{site}</bdi>
    </About>
    {followed ? (
      <p class="quiet">Following</p>
    ) : (
      <Post action="/channels" fields={{ url: page_url }} busy="Following…">
        Follow
      </Post>
    )}
  </li>
)
