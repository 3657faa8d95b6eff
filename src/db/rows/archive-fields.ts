/**
 * The fields of the archive with their types, as `pg_type` names them: one table for each kind of thing, which the export lists and the
 * import reads. A field of the document that is missing here is a type error. Rules and settings have tables of their own.
 */
import type { ArchiveChannel, ArchiveVideo, ArchiveViewing } from '../../schema/imports/archive.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { commaList } from '../postgres/column-lists.ts'

export const channel_fields = {
  channel_id: 'text',
  title: 'text',
  rss_url: 'text',
  page_url: 'text',
  image_url: 'text',
  quality: 'text',
  plays_whole: 'bool',
  bell: 'bool',
  followed_at: 'timestamptz',
} satisfies Record<Exclude<keyof ArchiveChannel, 'groups' | 'rule' | 'rule_playlist'>, string>

export const video_fields = {
  channel_id: 'text',
  video_id: 'text',
  video_url: 'text',
  title: 'text',
  description: 'text',
  thumbnail_url: 'text',
  published_at: 'timestamptz',
  published_precision: 'text',
  sort_at: 'timestamptz',
  first_seen_at: 'timestamptz',
  source: 'text',
  duration_seconds: 'int4',
  live_status: 'text',
  availability: 'text',
  guid: 'text',
  moved_id: 'text',
  pinned: 'bool',
  chapters: 'jsonb',
  requested_by: 'text',
  downloaded: 'bool',
} satisfies Record<keyof ArchiveVideo, string>

export const viewing_fields = {
  video_id: 'text',
  seen_at: 'timestamptz',
  position_seconds: 'int4',
  duration_seconds: 'int4',
  watched_at: 'timestamptz',
  dismissed_at: 'timestamptz',
  later_at: 'timestamptz',
  not_for_me_at: 'timestamptz',
  forgotten_at: 'timestamptz',
} satisfies Record<keyof ArchiveViewing, string>

/** The fields as columns of a query. `otherwise`: those that are no column of this name, or are changed on the way. */
export const fieldsOf = (
  sql: Queryable,
  fields: Record<string, string>,
  otherwise: Record<string, Piece> = {},
): Piece =>
  commaList(
    sql,
    Object.keys(fields).map(name => (otherwise[name] ? sql`${otherwise[name]} as ${sql(name)}` : sql`${sql(name)}`)),
  )
