/** The OpenAPI document: what each endpoint takes and gives, from the schemas that validate. */
import { Hono } from 'hono'
import * as api from '../schema/api.ts'
import { Health } from '../schema/health.ts'
import * as imports from '../schema/import.ts'
import { ChannelRule, RuleRequest } from '../schema/rule.ts'
import { SearchResult } from '../schema/search.ts'
import type { Env } from './context.ts'
import { documentOf, type Operation } from './openapi-document.ts'

/** `get /channels`, below `/api`; a test holds this against the routes that exist. */
export const operations: Record<string, Operation> = {
  'get /discover': {
    summary: 'The feeds behind an address of any kind, the best first; nothing is saved',
    query: api.DiscoverQuery,
    answers: { 200: { says: 'What was found, and what was tried in vain', schema: api.Discovered } },
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
  },
  'delete /channels/{channel_id}': {
    summary: 'Stop following; its videos and files go too',
    answers: { 204: { says: 'Gone', schema: null } },
  },
  'post /channels/{channel_id}/refresh': {
    summary: 'Fetch the feed now',
    answers: { 200: { says: 'The channel, and what the fetch changed', schema: api.Refreshed } },
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
  'post /feed': {
    summary: 'Fetch a feed, and save it unless told not to',
    body: api.FeedRequest,
    answers: { 200: { says: 'What stands in the feed', schema: api.FeedShown } },
  },
  'get /history/{channel_id}': {
    summary: 'Every video that ever appeared in the channel, newest first',
    query: api.HistoryQuery,
    answers: { 200: { says: 'One page', schema: api.History } },
  },
  'post /download/batch': {
    summary: 'Ask for several downloads',
    body: api.BatchRequest,
    answers: { 202: { says: 'What became of each', schema: api.BatchResult } },
  },
  'post /download/retry-failed': {
    summary: 'Ask again for every download that failed and is not tried again by itself',
    answers: { 202: { says: 'What became of each', schema: api.BatchResult } },
  },
  'post /download/{video_id}': {
    summary: 'Ask for a download',
    answers: {
      202: { says: 'In line, or running', schema: api.Status },
      200: { says: 'On disk already', schema: api.Status },
    },
  },
  'post /download/{video_id}/pin': {
    summary: 'Keep the file, whatever the rule of its channel says',
    answers: { 200: { says: 'Where it stands now', schema: api.Status } },
  },
  'post /download/{video_id}/unpin': {
    summary: 'Leave the file to the rule of its channel again',
    answers: { 200: { says: 'Where it stands now', schema: api.Status } },
  },
  'delete /download/{video_id}': {
    summary: 'Cancel what waits or runs; delete what is on disk',
    answers: { 200: { says: 'Where it stands now', schema: api.Status } },
  },
  'get /download/status': {
    summary: 'Where several downloads stand',
    query: api.StatusQuery,
    answers: { 200: { says: 'Those that exist', schema: api.Statuses } },
  },
  'get /health': {
    summary: 'How the service is doing: tools, workers, queue, disk',
    answers: { 200: { says: 'With what to do about it, if anything', schema: Health } },
  },
  'get /download/status/{video_id}': {
    summary: 'Where a download stands',
    answers: { 200: { says: 'Where it stands', schema: api.Status } },
  },
  'post /import': {
    summary: "Bring a list of channels: OPML, a Takeout file, an app's JSON, or one address on each line",
    body: imports.ImportRequest,
    answers: { 202: { says: 'Its lines are followed one after the other', schema: imports.Import } },
  },
  'get /import/{import_id}': {
    summary: 'How far a list is, line by line',
    answers: { 200: { says: 'Lines that failed stand first', schema: imports.ImportStatus } },
  },
  'post /import/{import_id}/retry': {
    summary: 'Try the lines that failed again',
    answers: { 202: { says: 'How far it is', schema: imports.Import } },
  },
  'get /export': {
    summary: 'Every channel you follow, as an import reads it',
    answers: { 200: { says: 'Ordered by title', schema: imports.Export } },
  },
}

const document = documentOf(operations)

export const openapi = new Hono<Env>().get('/openapi.json', c => c.json(document))
