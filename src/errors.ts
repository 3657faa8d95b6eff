/**
 * Every kind of error the product answers with: its code, its HTTP status and its title.
 * Leaves the sentence of each error to the code that throws it, and the rendering to the routes.
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
  gone: 410,
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
  full: 507,
} as const

export type ErrorCode = keyof typeof statuses
export type ErrorStatus = (typeof statuses)[ErrorCode]

/** A status in words: the title of an error page and of problem details, and the description in the OpenAPI document. */
export const titles: Record<ErrorStatus, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Too large',
  415: 'Unsupported type',
  416: 'Range not satisfiable',
  421: 'Wrong host',
  422: 'Invalid input',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'The other site failed',
  503: 'Temporarily unavailable',
  504: 'The other site did not answer',
  507: 'Not enough space',
}

export type ErrorOptions = {
  /** The first reason; logged, never shown. */
  cause?: unknown
  /** One sentence for each form or JSON field that is wrong. */
  fields?: Record<string, string>
  /** Seconds after which the same request may be made again. */
  retry_after_s?: number | undefined
}

/** An error that is shown: a code for programs, and a sentence for people that says what to do next. */
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

  get title(): string {
    return titles[this.status]
  }
}

/** What was given for a field is wrong. The sentence is shown beside the field, too. */
export const wrongAt = (field: string, sentence: string, code: ErrorCode = 'invalid') =>
  new DomainError(code, sentence, { fields: { [field]: sentence } })

/** A person has the most of these things that one may have. `act`: what removes one. */
export const noRoomFor = (most: number, things: string, act: 'Delete' | 'Remove' | 'Revoke') =>
  new DomainError('conflict', `You have ${most} ${things}, the most there can be. ${act} one first.`)

/** An unknown address, and one that this person must not know of, get the same answer. */
export const nothingHere = () => new DomainError('not_found', 'There is nothing at this address.')

/** The first code with this status, for errors of the framework, which have a status only. */
export const codeOf = (status: number): ErrorCode =>
  (Object.keys(statuses) as ErrorCode[]).find(code => statuses[code] === status) ?? 'bad_request'
