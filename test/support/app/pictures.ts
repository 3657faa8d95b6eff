/** In the database and the files: pictures that are stored, as if the worker had fetched them. */
import type { Sql } from '../../../src/db/postgres/client.ts'
import { sourceHash } from '../../../src/db/postgres/stored-pictures.ts'
import type { PictureKind } from '../../../src/schema/values/picture.ts'
import type { Files } from '../../../src/store/files.ts'
import { picturePath } from '../../../src/store/paths.ts'

/** A picture of one pixel. */
export const dot = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')

/** Plans the picture at this address as a save of a feed does. Returns its id. */
export async function planPicture(sql: Sql, kind: PictureKind, url: string): Promise<string> {
  const [row] = await sql<{ picture_id: string }[]>`
    insert into pictures (kind, source_hash, url, host)
    values (${kind}, ${sourceHash(sql, sql`${url}::text`)}, ${url}, ${new URL(url).host})
    on conflict (source_hash, kind) do update set used_at = now()
    returning picture_id`
  return row?.picture_id ?? ''
}

/** Stores the picture at this address. Returns its `picture_url`. */
export async function storePicture(
  { sql, files }: { sql: Sql; files: Files },
  kind: PictureKind,
  url: string,
  { small, large }: { small: Uint8Array; large: Uint8Array } = { small: dot, large: dot },
): Promise<string> {
  const picture_id = await planPicture(sql, kind, url)
  await files.write(picturePath(picture_id, 'small'), small)
  await files.write(picturePath(picture_id, 'large'), large)
  await sql`update pictures set stored_at = now(), fetch_at = null where picture_id = ${picture_id}`
  return `/pictures/${picture_id}/large`
}
