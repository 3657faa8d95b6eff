/** The errors of object storage, with codes that the failures of downloads know (`diskFailure`). */

/**
 * `away`: another attempt may succeed. `skewed`: the clocks of both machines differ too much. `missing`: the object or upload; `no_bucket`:
 * the bucket, or what answers is not object storage. `unknown_request`: the server has no such request.
 */
export type BucketFault =
  | 'away'
  | 'skewed'
  | 'refused'
  | 'full'
  | 'missing'
  | 'no_bucket'
  | 'changed'
  | 'unusable'
  | 'unknown_request'

const codes: Record<BucketFault, string> = {
  away: 'STORAGE_AWAY',
  skewed: 'STORAGE_CLOCK',
  refused: 'STORAGE_REFUSED',
  full: 'ENOSPC',
  missing: 'ENOENT',
  no_bucket: 'STORAGE_AWAY',
  changed: 'STORAGE_AWAY',
  unusable: 'EIO',
  unknown_request: 'EIO',
}

export class BucketError extends Error {
  override name = 'BucketError'
  readonly fault: BucketFault
  readonly code: string
  /** The storage's own code, such as `NoSuchUpload`; empty when it did not answer. */
  readonly s3_code: string
  /** The key is for the log. People see the message, so the message contains no key and no address. */
  readonly key: string | undefined
  constructor(
    fault: BucketFault,
    s3_code: string,
    what: string,
    more: { key?: string | undefined; cause?: unknown } = {},
  ) {
    super(what, { cause: more.cause })
    this.fault = fault
    this.code = codes[fault]
    this.s3_code = s3_code
    this.key = more.key
  }
}

type Request = { method: string; key: string | undefined }

const by_code: Record<string, BucketFault> = {
  NoSuchKey: 'missing',
  NoSuchVersion: 'missing',
  NoSuchUpload: 'missing',
  SlowDown: 'away',
  RequestTimeout: 'away',
  InternalError: 'away',
  NotImplemented: 'unknown_request',
  RequestTimeTooSkewed: 'skewed',
  OperationAborted: 'away',
  EntityTooLarge: 'unusable',
  KeyTooLongError: 'unusable',
  QuotaExceeded: 'full',
  QuotaExceededException: 'full',
  XMinioStorageFull: 'full',
  XMinioAdminBucketQuotaExceeded: 'full',
  InsufficientCapacity: 'full',
}

export function faultOf(status: number, s3_code: string, { method, key }: Request): BucketError {
  const fault = by_code[s3_code] ?? byStatus(status, method)
  const what = `${method} of ${key === undefined ? 'the bucket' : 'an object'}`
  return new BucketError(
    fault,
    s3_code,
    `The object storage answered ${[status, s3_code].join(' ').trim()} to ${what}.`,
    { key },
  )
}

function byStatus(status: number, method: string): BucketFault {
  if (status === 401 || status === 403) return 'refused'
  // The answer to HEAD has no code, so it does not say what is missing.
  if (status === 404) return method === 'HEAD' ? 'missing' : 'no_bucket'
  if (status === 412) return 'changed'
  if (status === 507) return 'full'
  if (status === 501) return 'unknown_request'
  return status >= 500 || status === 408 || status === 429 ? 'away' : 'unusable'
}
