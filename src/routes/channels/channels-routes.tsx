/**
 * A person's channels: following, refreshing and leaving them, their rules and the loading of older videos for programs; the page of all
 * channels, or of those with single videos, with the buttons for selected ones. `new-channel-page.tsx` follows a channel.
 */
import { type Context, Hono } from 'hono'
import { restoreChannels } from '../../domain/bin/restore.ts'
import { beginBackfill, cancelBackfill, getBackfill } from '../../domain/channels/backfills.ts'
import {
  chooseQuality,
  followChannel,
  listChannels,
  refreshChannel,
  unfollowChannel,
} from '../../domain/channels/channels.ts'
import { switchRules, unfollowChannels } from '../../domain/channels/chosen.ts'
import type { FeedFinder } from '../../domain/channels/discovery.ts'
import { addToGroup } from '../../domain/channels/groups.ts'
import { changeRule, getRule } from '../../domain/rules/rules.ts'
import { DomainError } from '../../errors.ts'
import type { FeedReader } from '../../feed/fetch/fetch-feed.ts'
import { currentTime } from '../../runtime/clock.ts'
import { Backfill, Channel, type ShownBackfill } from '../../schema/channels/channel.ts'
import {
  Channels,
  ChannelsFilter,
  ChannelsQuery,
  ChosenChannelsForm,
  Followed,
  FollowRequest,
  Refreshed,
  SwitchForm,
  ToGroupForm,
} from '../../schema/channels/channel-api.ts'
import { ChannelQuality } from '../../schema/downloads/quality.ts'
import type { Flash, Undo } from '../../schema/http/flash.ts'
import { ChannelRule, RuleRequest } from '../../schema/rules/rule.ts'
import { countWords, isolated } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { SwitchPartials } from '../../views/channels/channel-row.tsx'
import { ChannelsPage, SingleVideosPage } from '../../views/channels/channels-page.tsx'
import { UnfollowPage } from '../../views/channels/choosing-channels.tsx'
import { acknowledge, back, changed, goTo, type Said, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { accepted, created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { atField, orRefusal, valid } from '../http/valid.ts'
import { restoredFlash } from './channel-page.tsx'

/** `findFeed` accepts the address of any page; `readFeed` reads the feed at an address that is known to be one. */
type Deps = { readFeed: FeedReader; findFeed: FeedFinder; store: Store }

export const channelsApi = (deps: Deps) =>
  new Hono<Env>().route('/', backfillApi).route('/', followingApi(deps)).route('/', channelSettingsApi)

const followingApi = ({ readFeed, findFeed, store }: Deps) =>
  new Hono<Env>()
    .get(
      '/channels',
      operation('List the channels you follow', ok(Channels, 'Ordered by title')),
      validQuery(ChannelsFilter),
      async c => c.json({ channels: await c.var.library.channels.list(c.req.valid('query').followed) }),
    )

    .post(
      '/channels',
      operation(
        'Follow a channel',
        {
          ...created(Followed, 'You now follow the channel'),
          ...ok(Followed, 'You already followed the channel; it was refreshed'),
        },
        {
          description:
            'Accepts the address of a feed or of a page that links one, and handles, videos and playlists. The feed is fetched before the response is sent.',
          errors: [409, 502, 504],
        },
      ),
      validJson(FollowRequest),
      async c => {
        const { url, load_older } = c.req.valid('json')
        const { channel, saved, created } = await atField('url', followChannel(c.var.library, findFeed, url))
        if (load_older) await beginBackfill(c.var.library, channel.channel_id)
        return c.json({ ...channel, saved }, created ? 201 : 200)
      },
    )

    .delete(
      '/channels/:channel_id',
      operation('Unfollow a channel and delete its videos and files', done('Unfollowed'), {
        description:
          'Videos that you added by their address stay, in a channel that you do not follow. For BIN_HOURS, the channel can be restored.',
        errors: [409],
      }),
      c => acknowledge(c, unfollowChannel(c.var.library, store, c.req.param('channel_id'))),
    )

    .post(
      '/channels/:channel_id/refresh',
      operation('Fetch the feed now', ok(Refreshed, 'The channel, and how many entries changed'), {
        description: 'Does not wait for the schedule. At most once in ten seconds for each channel.',
        errors: [409, 422, 502, 504],
      }),
      async c => {
        const { channel, saved } = await refreshChannel(c.var.library, readFeed, c.req.param('channel_id'))
        return c.json({ channel, saved, skipped: channel.skipped })
      },
    )

const channelSettingsApi = new Hono<Env>()
  .get(
    '/channels/:channel_id/rule',
    operation('Read the auto-download rule of a channel', ok(ChannelRule, 'Off unless you turned it on')),
    async c => c.json(await getRule(c.var.library, c.req.param('channel_id'))),
  )

  .put(
    '/channels/:channel_id/rule',
    operation(
      'Replace the auto-download rule of a channel; a field left out sets no limit',
      ok(ChannelRule, 'Applies to videos that appear from now on'),
      { errors: [409] },
    ),
    validJson(RuleRequest),
    async c => c.json(await changeRule(c.var.library, c.req.param('channel_id'), c.req.valid('json'))),
  )

  .put(
    '/channels/:channel_id/quality',
    operation('Set the download quality of a channel', ok(Channel, 'Applies to downloads that start from now on')),
    validJson(ChannelQuality),
    async c => c.json(await chooseQuality(c.var.library, c.req.param('channel_id'), c.req.valid('json').quality)),
  )

const backfillApi = new Hono<Env>()
  .post(
    '/channels/:channel_id/backfill',
    operation('Load the older videos of a channel', accepted(Backfill, 'Queued, or unfinished already'), {
      description:
        'Reads the list of all videos of the channel in the background. While one is unfinished, the answer is that one.',
      errors: [409],
    }),
    async c => c.json(withoutNextAttempt(await beginBackfill(c.var.library, c.req.param('channel_id'))), 202),
  )

  .get(
    '/channels/:channel_id/backfill',
    operation(
      'Read how far the loading of older videos is',
      ok(Backfill, 'With the state `never` if it was not requested yet'),
    ),
    async c => c.json(withoutNextAttempt(await getBackfill(c.var.library, c.req.param('channel_id')))),
  )

  .delete(
    '/channels/:channel_id/backfill',
    operation('Stop loading older videos', done('Stopped'), {
      description: 'The videos that were loaded stay. Does nothing when none is unfinished.',
    }),
    c => acknowledge(c, cancelBackfill(c.var.library, c.req.param('channel_id'))),
  )

const withoutNextAttempt = ({ next_attempt_at: _, ...backfill }: ShownBackfill): Backfill => backfill

export const channelsPages = (store: Store) =>
  new Hono<Env>()
    .get('/', valid('query', ChannelsQuery), async c => {
      const { followed, select, ...wanted } = c.req.valid('query')
      const list = await listChannels(c.var.library, { ...wanted, followed: followed === undefined })
      const page = pageOf(c)
      if (followed !== undefined) return c.render(<SingleVideosPage page={page} list={list} />)
      const groups = select && list.followed > 0 ? await c.var.library.groups.list() : undefined
      return c.render(<ChannelsPage page={page} list={list} groups={groups} />)
    })

    // Must come before the routes that begin with the id of a channel.
    .route('/', chosenChannels(store))

/** The buttons for selected channels, and the switch of the auto-download of one. */
const chosenChannels = (store: Store) =>
  new Hono<Env>()
    .post('/chosen/watched', valid('form', ChosenChannelsForm), async c => {
      const { channel_id: channel_ids } = c.req.valid('form')
      if (channel_ids.length === 0) return goBack(c, no_channel_selected)
      const now = currentTime()
      const marked = await c.var.library.viewings.markAll({ until: now, channel_ids }, now)
      if (marked === 0) return goBack(c, 'Everything is already marked as watched.')
      const undo = { do: 'unsee_all', seen_at: now.toISOString() } as const
      return goBack(c, { kind: 'done', text: `${countWords(marked, 'video')} marked as watched.`, undo })
    })

    .post('/chosen/auto-download', valid('form', SwitchForm), async c => {
      const { channel_id, on } = c.req.valid('form')
      if (channel_id.length === 0) return goBack(c, no_channel_selected)
      const switched = await switchRules(c.var.library, channel_id, on)
      const undo = { do: 'switch_auto_download', channel_ids: switched, on: !on } as const
      const flash = undoable(await switchedWords(c, channel_id, on), hasRoom(undo) && undo)
      const parts = () => <SwitchPartials channel_ids={channel_id} is_on={on} />
      return changed(c, { parts, flash, otherwise: '/channels' })
    })

    .post('/chosen/group', valid('form', ToGroupForm), async c => {
      const { channel_id, ...group } = c.req.valid('form')
      if (channel_id.length === 0) return goBack(c, no_channel_selected)
      const added = await orRefusal(addToGroup(c.var.library, channel_id, group))
      if (added instanceof DomainError) return goBack(c, added)
      return goBack(c, `${countWords(added.added, 'channel')} added to ${isolated(added.name)}.`)
    })

    .post('/chosen/unfollow', valid('form', ChosenChannelsForm), async c => {
      const { channel_id, confirmed } = c.req.valid('form')
      const holdings = await c.var.library.channels.holdings(channel_id)
      if (holdings.channels.length === 0) return goBack(c, no_channel_selected)
      if (!confirmed) return c.render(<UnfollowPage page={pageOf(c)} holdings={holdings} />)
      const unfollowed = await unfollowChannels(c.var.library, store, channel_id)
      const undo = { do: 'restore_channels', channel_ids: unfollowed } as const
      const text = `${countWords(unfollowed.length, 'channel')} unfollowed.`
      // The page this came from asks for confirmation, so do not go back to it.
      return goTo(c, '/channels', undoable(text, store.bin.hours > 0 && hasRoom(undo) && undo))
    })

    .post('/chosen/restore', valid('form', ChosenChannelsForm), async c => {
      const { channel_id } = c.req.valid('form')
      const { restored, left, refusal } = await restoreChannels(c.var.library, store, channel_id)
      return goBack(c, restoredFlash(restored > 0 && countWords(restored, 'channel'), left, refusal))
    })

const no_channel_selected: Flash = { kind: 'problem', text: 'Select at least one channel.' }

const goBack = (c: Context<Env>, flash: Said): Response => back(c, '/channels', flash)

async function switchedWords(c: Context<Env>, channel_ids: string[], on: boolean): Promise<string> {
  const [first = '', ...others] = channel_ids
  const only = others.length === 0 ? await c.var.library.channels.find(first) : undefined
  return `Auto-download is ${on ? 'on' : 'off'} for ${only ? isolated(only.title) : countWords(channel_ids.length, 'channel')}.`
}

/** A flash is stored in a cookie, which has no room for the ids of very many channels. */
const max_undo_characters = 2000

const hasRoom = (undo: Extract<Undo, { channel_ids: string[] }>): boolean =>
  undo.channel_ids.length > 0 && JSON.stringify(undo).length <= max_undo_characters
