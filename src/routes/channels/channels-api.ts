/** A person's channels, their rules and their quality, as JSON. */
import { Hono } from 'hono'
import { beginBackfill } from '../../domain/channels/backfills.ts'
import { followChannel, refreshChannel, unfollowChannel } from '../../domain/channels/channels.ts'
import type { FeedFinder } from '../../domain/channels/discovery.ts'
import { chooseQuality } from '../../domain/downloads/qualities.ts'
import { changeRule, getRule } from '../../domain/rules/rules.ts'
import type { FeedReader } from '../../feed/fetch/fetch-feed.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { Channel } from '../../schema/channels/channel.ts'
import { Channels, ChannelsFilter, Followed, FollowRequest, Refreshed } from '../../schema/channels/channel-api.ts'
import { ChannelQuality } from '../../schema/downloads/quality.ts'
import { ChannelRule, RuleRequest } from '../../schema/rules/rule.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson, validQuery } from '../http/operation.ts'
import { atField } from '../http/valid.ts'

/** `findFeed` accepts the address of any page; `readFeed` reads the feed at an address that is known to be one. */
type Deps = { readFeed: FeedReader; findFeed: FeedFinder; files: Files; bin: BinLimits }

export const channels = ({ readFeed, findFeed, files, bin }: Deps) =>
  new Hono<Env>()
    .get(
      '/channels',
      describeRoute({
        summary: 'List the channels you follow',
        responses: { 200: { description: 'Ordered by title', schema: Channels } },
      }),
      validQuery(ChannelsFilter),
      async c => c.json({ channels: await c.var.library.channels.list(c.req.valid('query').followed) }),
    )

    .post(
      '/channels',
      describeRoute({
        summary: 'Follow a channel',
        description:
          'Accepts the address of a feed or of a page that links one, and handles, videos and playlists. The feed is fetched before the response is sent.',
        responses: {
          201: { description: 'You now follow the channel', schema: Followed },
          200: { description: 'You already followed the channel; it was refreshed', schema: Followed },
        },
        errors: [409, 502, 504],
      }),
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
      describeRoute({
        summary: 'Unfollow a channel and delete its videos and files',
        description:
          'Videos that you added by their address stay, in a channel that you do not follow. For BIN_HOURS, the channel can be restored.',
        responses: { 204: { description: 'Unfollowed', schema: null } },
        errors: [409],
      }),
      async c => {
        await unfollowChannel(c.var.library, files, c.req.param('channel_id'), bin)
        return c.body(null, 204)
      },
    )

    .post(
      '/channels/:channel_id/refresh',
      describeRoute({
        summary: 'Fetch the feed now',
        description: 'Does not wait for the schedule. At most once in ten seconds for each channel.',
        responses: { 200: { description: 'The channel, and how many entries changed', schema: Refreshed } },
        errors: [409, 422, 502, 504],
      }),
      async c => {
        const { channel, saved } = await refreshChannel(c.var.library, readFeed, c.req.param('channel_id'))
        return c.json({ channel, saved, skipped: channel.skipped })
      },
    )

    .get(
      '/channels/:channel_id/rule',
      describeRoute({
        summary: 'Read the auto-download rule of a channel',
        responses: { 200: { description: 'Off unless you turned it on', schema: ChannelRule } },
      }),
      async c => c.json(await getRule(c.var.library, c.req.param('channel_id'))),
    )

    .put(
      '/channels/:channel_id/rule',
      describeRoute({
        summary: 'Replace the auto-download rule of a channel; a field left out sets no limit',
        responses: { 200: { description: 'Applies to videos that appear from now on', schema: ChannelRule } },
        errors: [409],
      }),
      validJson(RuleRequest),
      async c => c.json(await changeRule(c.var.library, c.req.param('channel_id'), c.req.valid('json'))),
    )

    .put(
      '/channels/:channel_id/quality',
      describeRoute({
        summary: 'Set the download quality of a channel',
        responses: { 200: { description: 'Applies to downloads that start from now on', schema: Channel } },
      }),
      validJson(ChannelQuality),
      async c => c.json(await chooseQuality(c.var.library, c.req.param('channel_id'), c.req.valid('json').quality)),
    )
