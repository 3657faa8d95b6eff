/** The page of one channel: refreshing it, unfollowing it, restoring it, and loading its older videos. */
import { type Context, Hono } from 'hono'
import { restoreChannel } from '../../domain/bin/restore.ts'
import { beginBackfill, cancelBackfill, getBackfill } from '../../domain/channels/backfills.ts'
import { shownChannel } from '../../domain/channels/channel-videos.ts'
import { refreshChannel, unfollowChannel } from '../../domain/channels/channels.ts'
import { getChannel } from '../../domain/get.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import type { FeedReader } from '../../feed/fetch/fetch-feed.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import { ChannelPageQuery } from '../../schema/channels/channel-api.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { backfill_id, channelPath } from '../../schema/http/paths.ts'
import type { Saved } from '../../schema/sources/feed.ts'
import { countWords, isolated } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { ChannelPage } from '../../views/channels/channel-page.tsx'
import { BackfillChanged } from '../../views/channels/freshness.tsx'
import { back, goTo, undoable } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { view_cookie } from '../http/cookies.ts'
import { columnFor, pageOf, videos_of_page } from '../http/page.ts'
import { orRefusal, valid } from '../http/valid.ts'

/** `readFeed` reads the feed at its own address. */
export const channelPages = (readFeed: FeedReader, store: Store) =>
  new Hono<Env>()
    .get('/:channel_id', valid('query', ChannelPageQuery), async c => {
      const { select, view, ...query } = c.req.valid('query')
      const filter = { ...query, limit: videos_of_page }
      const showing = shownChannel(c.var.library, c.req.param('channel_id'), filter)
      const [shown, column] = await Promise.all([showing, columnFor(c)])
      if (view) view_cookie.write(c, view)
      return c.render(
        <ChannelPage
          page={pageOf(c)}
          filter={filter}
          view={view ?? view_cookie.read(c)}
          is_choosing={select !== undefined}
          column={column}
          {...shown}
        />,
      )
    })

    .post('/:channel_id/refresh', async c => {
      const channel_id = c.req.param('channel_id')
      const refreshed = await orRefusal(refreshChannel(c.var.library, readFeed, channel_id))
      const is_refused = refreshed instanceof DomainError
      if (is_refused && answered_by_page.includes(refreshed.code)) throw refreshed
      const said = is_refused ? refreshed : withWarning(refreshed.channel, refreshedWords(refreshed.saved))
      return goTo(c, channelPath({ channel_id }), said)
    })

    .post('/:channel_id/delete', async c => {
      const channel_id = c.req.param('channel_id')
      const { title } = await getChannel(c.var.library, channel_id)
      const stays = await unfollowChannel(c.var.library, store, channel_id)
      const text = `Unfollowed ${isolated(title)}.${stays ? ' The videos that you added stay here.' : ''}`
      const undo = store.bin.hours > 0 && ({ do: 'restore_channel', channel_id } as const)
      return goTo(c, stays ? channelPath({ channel_id }) : '/channels', undoable(text, undo))
    })

    .post('/:channel_id/restore', async c => {
      const channel_id = c.req.param('channel_id')
      const restored = await orRefusal(restoreChannel(c.var.library, store, channel_id), ['gone', 'invalid'])
      if (restored instanceof DomainError) return back(c, '/channels', restored)
      return goTo(c, channelPath({ channel_id }), restoredFlash(isolated(restored.channel.title), restored.left))
    })

/** `followed`: what is followed again, if anything. `left`: how many files stay in the bin. `refusal`: why a channel stays there. */
export function restoredFlash(followed: string | false, left: number, refusal?: DomainError): Flash {
  const sentences = [
    followed && `Following ${followed} again.`,
    left > 0 &&
      `${countWords(left, 'file')} would exceed your quota and ${left === 1 ? 'stays' : 'stay'} in Recently deleted.`,
    refusal?.message,
  ]
  return { kind: refusal || left > 0 ? 'problem' : 'done', text: sentences.filter(Boolean).join(' ') }
}

/** These refusals have a page of their own. The channel's page shows the others, such as why a feed can't be read. */
const answered_by_page: ErrorCode[] = ['not_found', 'too_many']

/** Adds what is wrong with the feed, although it could be read. */
export const withWarning = ({ feed_warning }: Channel, text: string): Flash =>
  feed_warning === null ? { kind: 'done', text } : { kind: 'problem', text: `${text} ${feed_warning}` }

const refreshedWords = ({ inserted, updated }: Saved) =>
  inserted > 0
    ? `${countWords(inserted, 'new video')}.`
    : updated > 0
      ? `No new videos, ${updated} updated.`
      : 'No new videos.'

/** Loading the older videos: how far it is, and the buttons. The page of the channel shows both at the end of its list. */
export const backfillPages = new Hono<Env>()
  .get('/:channel_id/backfill', async c => backfillOf(c, c.req.param('channel_id'), { is_polled: true }))

  .post('/:channel_id/backfill', async c => {
    const channel_id = c.req.param('channel_id')
    await beginBackfill(c.var.library, channel_id)
    return backfillOf(c, channel_id)
  })

  .post('/:channel_id/backfill/cancel', async c => {
    const channel_id = c.req.param('channel_id')
    await cancelBackfill(c.var.library, channel_id)
    return backfillOf(c, channel_id)
  })

async function backfillOf(c: Context<Env>, channel_id: string, { is_polled = false } = {}) {
  const channel = await getChannel(c.var.library, channel_id)
  if (!isFragment(c)) return c.redirect(`${channelPath(channel)}#${backfill_id}`, 303)
  const backfill = await getBackfill(c.var.library, channel_id)
  return c.render(<BackfillChanged channel={channel} backfill={backfill} now={currentTime()} is_polled={is_polled} />)
}
