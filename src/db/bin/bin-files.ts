/**
 * Brings the files of one user back from the bin, or removes them for good. The row of a file in the bin is its lock: a run that puts
 * a file in the same place deletes the row first (`run-ends.ts`), so it never meets a purge.
 */
import type { BinLimits } from '../../schema/bin/bin.ts'
import type { UserId } from '../../schema/values/user.ts'
import { movesOf } from '../downloads/moves.ts'
import { bytesUsedIn, quotaIn } from '../downloads/space.ts'
import { eachValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { removeDownloads } from '../queue/queue.ts'
import { file_columns, oneAtATime } from '../rows/bin-rows.ts'

/**
 * `video_unknown`: the library has no such video. `gone`: the bin does not have its file. `over_quota`: more than `quota_bytes` would be
 * kept.
 */
type RestoredFile =
  | { result: 'restored' | 'already_completed' | 'gone' | 'video_unknown' }
  | { result: 'over_quota'; quota_bytes: number }

type RestoreRequest = BinLimits & {
  /** Brings the file to its place, while the row is locked. `false`: there is no such file. */
  recover(download_path: string): Promise<boolean>
}

export function binFilesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const { move, noRun, noRequest, noFailures } = movesOf(sql, user_id)

  /** In one statement: a deletion and a restore pass the name from one table to the other, and at any moment one of them has it. */
  const unnamedIn = async (on: Queryable, download_paths: string[]) => {
    const withoutExtension = (path: Piece) => on`regexp_replace(${path}, '\\.[^./]*$', '')`
    return eachValue<string>(on`
      with named as materialized (
        select ${withoutExtension(on`download_path`)} as stem from deleted_files where ${mine}
        union
        select ${withoutExtension(on`download_path`)} from video_entries where ${mine} and download_path is not null
      )
      select download_path
      from   unnest(${download_paths}::text[]) as download_path
      where  ${withoutExtension(on`download_path`)} not in (select stem from named)`)
  }

  return {
    restoreFile: (
      video_id: string,
      { hours, quota_bytes: service_bytes, recover }: RestoreRequest,
    ): Promise<RestoredFile> =>
      sql.begin(async (tx): Promise<RestoredFile> => {
        const quota_bytes = await quotaIn(tx, user_id, service_bytes)
        // Restores of one person wait here, so that the bytes below include those of the restore before.
        if (quota_bytes > 0) await oneAtATime(tx, user_id)
        const statuses = await eachValue<string>(tx`
          select   download_status
          from     video_entries
          where    ${mine} and video_id = ${video_id}
          order by video_id, id
          for update`)
        if (statuses.length === 0) return { result: 'video_unknown' }
        if (statuses.includes('COMPLETED')) return { result: 'already_completed' }
        const [file] = await tx<{ download_path: string; file_size: number }[]>`
          select download_path, file_size
          from   deleted_files
          where  ${mine} and video_id = ${video_id} and deleted_at > now() - ${hours} * interval '1 hour'
          for update`
        if (!file) return { result: 'gone' }
        if (quota_bytes > 0) {
          const kept = (await bytesUsedIn(tx, user_id, video_id)) + file.file_size
          if (kept > quota_bytes) return { result: 'over_quota', quota_bytes }
        }
        const is_there = await recover(file.download_path)
        if (is_there) {
          await move(tx, 'restore', [video_id], sql`${noRun}, ${noRequest}, ${noFailures}, ${fromBin(tx, user_id)}`)
          await removeDownloads(tx, user_id, [video_id])
        }
        await tx`delete from deleted_files where ${mine} and video_id = ${video_id}`
        return { result: is_there ? 'restored' : 'gone' }
      }),

    /** Calls `discard` with the files that are still in the bin, while no other transaction restores or empties them. */
    whileBinned: (video_ids: string[], discard: (...download_paths: string[]) => Promise<unknown>): Promise<void> =>
      sql.begin(async tx => {
        const download_paths = await eachValue<string>(tx`
          select   download_path
          from     deleted_files
          where    ${mine} and video_id = any(${video_ids})
          order by video_id
          for update`)
        await discard(...download_paths)
      }),

    /**
     * Empties these files out of the bin. `purge` is called with those that no completed download uses, while no run can put a file in
     * the same place. Returns the bytes.
     */
    purge: (video_ids: string[], purge: (...download_paths: string[]) => Promise<unknown>): Promise<number> =>
      sql.begin(async tx => {
        // Locked in one order, so that two statements never wait for each other in a circle.
        const files = await tx<{ download_path: string; file_size: number; is_used: boolean }[]>`
          delete from deleted_files file
          where  ${mine} and video_id = any(array(
                   select   video_id
                   from     deleted_files
                   where    ${mine} and video_id = any(${video_ids})
                   order by video_id
                   for update))
          returning download_path, file_size,
                    exists (select from video_entries entry
                            where  entry.user_id = ${user_id} and entry.video_id = file.video_id
                            and    entry.download_path = file.download_path) as is_used`
        const unused = files.filter(({ is_used }) => !is_used)
        await purge(...unused.map(({ download_path }) => download_path))
        return files.reduce((sum, { file_size }) => sum + file_size, 0)
      }),

    /**
     * Returns the paths that no file of the library or of the bin has. Extensions are not compared, because a purge also removes subtitles,
     * and their names contain only the stem.
     */
    unnamed: (download_paths: string[]): Promise<string[]> => unnamedIn(sql, download_paths),

    /** Calls `purge` if the path is still unnamed, while no run can complete this video. */
    purgeUnnamed: (
      { download_path, video_id }: { download_path: string; video_id: string },
      purge: (download_path: string) => Promise<unknown>,
    ): Promise<boolean> =>
      sql.begin(async tx => {
        await tx`
          select   from video_entries
          where    ${mine} and video_id = ${video_id}
          order by video_id, id
          for update`
        const [is_unnamed] = await unnamedIn(tx, [download_path])
        if (is_unnamed === undefined) return false
        await purge(download_path)
        return true
      }),
  }
}

/** A part of a `set` clause: the columns of the file as they were. What a rule had deleted is kept like a request of the person. */
export const fromBin = (tx: Queryable, user_id: UserId): Piece => tx`
  (${tx(file_columns)}, download_asked_by, download_by_rule, download_error, download_detail) = (
    select ${tx(file_columns.map(column => `file.${column}`))},
           case when bin.by_rule then 'person' else video_entries.download_asked_by end, false, null, null
    from   deleted_files bin
    cross join lateral jsonb_populate_record(null::video_entries, bin.file) file
    where  bin.user_id = ${user_id} and bin.video_id = video_entries.video_id)`
