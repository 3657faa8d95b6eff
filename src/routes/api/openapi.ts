/** The OpenAPI document: what each endpoint takes and gives, from the schemas that validate. */
import { Hono } from 'hono'
import { AccountSummary } from '../../schema/account.ts'
import * as api from '../../schema/api.ts'
import { ChannelRule, RuleRequest } from '../../schema/rule.ts'
import { SearchResult } from '../../schema/search.ts'
import * as viewing from '../../schema/viewing.ts'
import type { Env } from '../middleware/context.ts'
import { documentOf, type Operation } from './openapi-document.ts'
import { operations_on_files } from './openapi-files.ts'

/** `get /channels`, below `/api`; a test holds this against the routes that exist. */
export const operations: Record<string, Operation> = {
  'get /discover': {
    summary: 'The feeds behind an address of any kind, the best first; nothing is saved',
    query: api.DiscoverQuery,
    answers: { 200: { says: 'What was found, and what was tried in vain', schema: api.Discovered } },
    description:
      'Asks the address, and what it names, so it takes as long as that site does. A token that only reads is refused.',
    refuses: [403, 502, 504],
  },
  'get /search': {
    summary: 'Videos by the words of their titles and descriptions, the best first, and channels by their titles',
    query: api.SearchQuery,
    answers: { 200: { says: 'One page; "a phrase", -without and or are understood', schema: SearchResult } },
  },
  'get /channels': {
    summary: 'The channels you follow',
    answers: { 200: { says: 'Ordered by title', schema: api.Channels } },
  },
  'post /channels': {
    summary: 'Follow a channel by its feed, or by a page that names its feed',
    body: api.TrackRequest,
    answers: {
      201: { says: 'Followed from now on', schema: api.Tracked },
      200: { says: 'Followed already; refreshed', schema: api.Tracked },
    },
    description: 'The first fetch is part of it. Handles, videos and playlists are addresses too.',
    refuses: [409, 502, 504],
  },
  'delete /channels/{channel_id}': {
    summary: 'Stop following; its videos and files go too',
    answers: { 204: { says: 'Gone', schema: null } },
  },
  'post /channels/{channel_id}/refresh': {
    summary: 'Fetch the feed now',
    answers: { 200: { says: 'The channel, and what the fetch changed', schema: api.Refreshed } },
    description: 'At once, whatever the schedule says, but not twice in ten seconds.',
    refuses: [409, 422, 502, 504],
  },
  'get /channels/{channel_id}/rule': {
    summary: 'What is fetched of the channel without a click, and for how long it is kept',
    answers: { 200: { says: 'Off unless turned on', schema: ChannelRule } },
  },
  'put /channels/{channel_id}/rule': {
    summary: 'Change it; what is not said does not limit',
    body: RuleRequest,
    answers: { 200: { says: 'It holds for what appears from now on', schema: ChannelRule } },
  },
  'put /channels/{channel_id}/quality': {
    summary: 'How large a picture its downloads have; null: as for everything else',
    body: api.ChannelQuality,
    answers: { 200: { says: 'It holds for downloads that start from now on', schema: api.Channel } },
  },
  'get /settings': {
    summary: 'What you chose for everything you follow',
    answers: { 200: { says: 'A channel may have a choice of its own', schema: api.Settings } },
  },
  'put /settings': {
    summary: 'Choose it',
    body: api.Settings,
    answers: { 200: { says: 'It holds for downloads that start from now on', schema: api.Settings } },
  },
  'get /account': {
    summary: 'Who you are, and how much you keep',
    answers: { 200: { says: 'Tokens are made and revoked on the page of settings alone', schema: AccountSummary } },
  },
  'post /feed': {
    summary: 'Fetch a feed, and save it unless told not to',
    body: api.FeedRequest,
    answers: { 200: { says: 'What stands in the feed', schema: api.FeedShown } },
    refuses: [409, 502, 504],
  },
  'get /history/{channel_id}': {
    summary: 'Every video that ever appeared in the channel, newest first',
    query: api.HistoryQuery,
    answers: { 200: { says: 'One page', schema: api.History } },
  },
  'get /videos': {
    summary: 'The newest videos over all channels',
    query: api.HistoryQuery,
    answers: { 200: { says: 'One page, newest first', schema: api.Videos } },
  },
  'get /videos/unfinished': {
    summary: 'What is on disk, begun and not seen',
    answers: { 200: { says: 'The last played first', schema: api.Unfinished } },
  },
  'put /videos/{video_id}/viewing': {
    summary: 'Say how far you came, or whether you have seen it; coming to the end is seeing it',
    body: viewing.ViewingRequest,
    answers: { 200: { says: 'The video', schema: api.Video } },
  },
  'post /videos/seen': {
    summary: 'Mark everything as seen that had appeared by a moment',
    body: viewing.SeenRequest,
    answers: { 200: { says: 'How many, and by what to take it back', schema: viewing.SeenResult } },
    refuses: [404],
  },
  'post /videos/unseen': {
    summary: 'Take back what was marked as seen at one moment',
    body: viewing.UnseenRequest,
    answers: { 200: { says: 'How many', schema: viewing.UnseenResult } },
  },
  ...operations_on_files,
}

const document = documentOf(operations)

export const openapi = new Hono<Env>().get('/openapi.json', c => c.json(document))
