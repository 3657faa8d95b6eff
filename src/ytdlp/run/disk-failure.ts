/** Reads the errors of file systems, of object storage and of a full disk of Postgres. */
import { cleaned } from './clean-text.ts'
import { type Failure, failures } from './failure.ts'

/** The failure for an error of the file system or of object storage, by its code; `undefined`: the error is not about storage. */
export function diskFailure(cause: unknown): Failure | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const failure = disk_codes[String(cause.code)]
  return failure && { ...failure, detail: cleaned(cause.message) }
}

const disk_codes: Record<string, Failure> = {
  ENOSPC: failures.disk_full,
  EDQUOT: failures.disk_full,
  EACCES: failures.not_writable,
  EPERM: failures.not_writable,
  EROFS: failures.storage_read_only,
  EIO: failures.disk_fault,
  EFBIG: failures.disk_fault,
  ENAMETOOLONG: failures.disk_fault,
  // A network share or a disk that was lost.
  ESTALE: failures.storage_away,
  ENOTCONN: failures.storage_away,
  ENODEV: failures.storage_away,
  ENXIO: failures.storage_away,
  // Our own codes, in `store/disk.ts` and `store/bucket/faults.ts`.
  STORAGE_AWAY: failures.storage_away,
  STORAGE_READ_ONLY: failures.storage_read_only,
  STORAGE_REFUSED: failures.storage_refused,
  // Postgres' own code for a full disk.
  '53100': failures.disk_full,
}
