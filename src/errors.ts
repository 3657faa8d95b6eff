/**
 * Every refusal the product can give, and its one HTTP status.
 * Leaves the wording of each to the place that refuses, and the rendering to the routes.
 */
const statuses = {
  bad_request: 400,
  signed_out: 401,
  invalid_token: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  misdirected: 421,
  invalid: 422,
  address_refused: 422,
  not_a_feed: 422,
  too_many: 429,
  internal: 500,
  feed_failed: 502,
  unavailable: 503,
  feed_timeout: 504,
} as const

export type ErrorCode = keyof typeof statuses
export type ErrorStatus = (typeof statuses)[ErrorCode]

export type ErrorOptions = {
  /** What went wrong first; logged, never shown. */
  cause?: unknown
  /** Sentences by form or JSON field. */
  fields?: Record<string, string>
  /** Seconds after which the same request may be made again. */
  retry_after_s?: number
}

/** A refusal: a code for programs, and a sentence for people that says what to do next. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string>
  readonly retry_after_s: number | undefined

  constructor(code: ErrorCode, message: string, { cause, fields = {}, retry_after_s }: ErrorOptions = {}) {
    super(message, { cause })
    this.name = 'DomainError'
    this.code = code
    this.fields = fields
    this.retry_after_s = retry_after_s
  }

  get status(): ErrorStatus {
    return statuses[this.code]
  }
}

/** The code that fits a status best, for refusals that arrive as a bare status. */
export const codeOf = (status: number): ErrorCode =>
  (Object.keys(statuses) as ErrorCode[]).find(code => statuses[code] === status) ?? 'bad_request'
