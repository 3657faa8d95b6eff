/** A person's channels with their rules, their quality and the loading of their older videos, as JSON. */
import { Hono } from 'hono'
import { beginBackfill, cancelBackfill, getBackfill } from '../../domain/channels/backfills.ts'
import { chooseQuality, followChannel, refreshChannel, unfollowChannel } from '../../domain/channels/channels.ts'
import type { FeedFinder } from '../../domain/channels/discovery.ts'
import { changeRule, getRule } from '../../domain/rules/rules.ts'
import type { FeedReader } from '../../feed/fetch/fetch-feed.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { Backfill, Channel, type ShownBackfill } from '../../schema/channels/channel.ts'
import { Channels, ChannelsFilter, Followed, FollowRequest, Refreshed } from '../../schema/channels/channel-api.ts'
import { ChannelQuality } from '../../schema/downloads/quality.ts'
import { ChannelRule, RuleRequest } from '../../schema/rules/rule.ts'
import type { Files } from '../../store/files.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { accepted, created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'
import { atField } from '../http/valid.ts'

/** `findFeed` accepts the address of any page; `readFeed` reads the feed at an address that is known to be one. */
type Deps = { readFeed: FeedReader; findFeed: FeedFinder; files: Files; bin: BinLimits }

export const channelsApi = (deps: Deps) =>
  new Hono<Env>().route('/', backfillApi).route('/', followingApi(deps)).route('/', channelChoicesApi)

const followingApi = ({ readFeed, findFeed, files, bin }: Deps) =>
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
      c => acknowledge(c, unfollowChannel(c.var.library, files, c.req.param('channel_id'), bin)),
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

const channelChoicesApi = new Hono<Env>()
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
