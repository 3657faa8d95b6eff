/** Parts of queries about stored pictures. */
import type { PictureKind } from '../../schema/values/picture.ts'
import type { Piece, Queryable } from './client.ts'

/** The key of an address in the table `pictures`. */
export const sourceHash = (sql: Queryable, url: Piece): Piece => sql`md5(${url})::uuid`

/** The id of the stored picture at this address; null: it is not stored. */
export const pictureId = (sql: Queryable, kind: PictureKind, url: Piece): Piece => sql`
  (select picture_id
   from   pictures
   where  kind = ${kind} and source_hash = ${sourceHash(sql, url)} and stored_at is not null)`

/** The path of the stored picture at this address, in its large size; null: it is not stored. */
export const pictureUrl = (sql: Queryable, kind: PictureKind, url: Piece): Piece =>
  sql`('/pictures/' || ${pictureId(sql, kind, url)} || '/large')`
