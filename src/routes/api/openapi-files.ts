/** What the endpoints about downloads, lists and the service take and give. */
import * as api from '../../schema/api.ts'
import { Health } from '../../schema/health.ts'
import * as imports from '../../schema/import.ts'
import type { Operation } from './openapi-document.ts'

const for_htmx = 'To requests with `HX-Request: true`: a piece of a page'

export const operations_on_files: Record<string, Operation> = {
  'post /download/batch': {
    summary: 'Ask for several downloads',
    body: api.BatchRequest,
    answers: { 202: { says: 'What became of each', schema: api.BatchResult } },
  },
  'get /downloads': {
    summary: 'What runs, waits, has failed or is on disk, over all channels',
    query: api.DownloadsQuery,
    answers: {
      200: { says: 'One page in the order of the page /downloads, and how many there are', schema: api.DownloadsShown },
    },
  },
  'post /download/cancel-batch': {
    summary: 'Cancel several downloads that wait, run or have failed; what is on disk stays',
    body: api.CancelRequest,
    answers: { 200: { says: 'What became of each', schema: api.CancelResult } },
  },
  'post /download/remove-batch': {
    summary: 'Delete several files; what waits or runs goes on',
    body: api.BatchRequest,
    answers: { 200: { says: 'What became of each', schema: api.RemoveResult } },
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
    answers: {
      200: { says: 'Those that exist', schema: api.Statuses, html: for_htmx },
      304: { says: 'Nothing has changed since the answer that `If-None-Match` names', schema: null },
    },
  },
  'get /health': {
    summary: 'How the service is doing: tools, workers, queue, disk',
    answers: { 200: { says: 'With what to do about it, if anything', schema: Health } },
  },
  'get /download/status/{video_id}': {
    summary: 'Where a download stands',
    answers: { 200: { says: 'Where it stands', schema: api.Status, html: for_htmx } },
  },
  'post /import': {
    summary: "Bring a list of channels: OPML, a Takeout file, an app's JSON, or one address on each line",
    body: imports.ImportRequest,
    description:
      'As text in JSON, of up to 2 MB; or the file itself, which may be a ZIP or gzip archive of up to 16 MB.',
    files: imports.list_file_types,
    answers: { 202: { says: 'Its lines are followed one after the other', schema: imports.Import } },
    refuses: [409],
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
