/** Answers every error as a page, a fragment or problem details, and requests that no route takes. */
import type { Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { isAway, isFull } from '../../db/postgres/client.ts'
import { recordFull } from '../../db/postgres/room.ts'
import { codeOf, DomainError, type ErrorCode, nothingHere } from '../../errors.ts'
import { type Log, reasonOf } from '../../runtime/log.ts'
import { isReadOnly } from '../../runtime/read-only.ts'
import type { Problem } from '../../schema/http/problem.ts'
import { awaySentence } from '../../store/files.ts'
import { FlashMessages } from '../../views/frames/flash-messages.tsx'
import { ErrorPage } from '../../views/frames/layout.tsx'
import { type Env, isFragment, wantsJson } from './context.ts'
import { isLink } from './headers.ts'
import { pageOf } from './page.ts'
import { pageBefore, safeNext } from './redirects.ts'
import { scopeFor } from './sign-in.ts'
import { setRetryAfter } from './valid.ts'

/** Answers every error: a refusal with its sentence, a fault with a general one; the log gets the cause. */
export const onError = (log: Log) => (error: unknown, c: Context<Env>) => refuse(c, logged(log, error, c))

/** The refusal of a request, which the log gets if it is a fault. */
export function logged(log: Log, error: unknown, c: Context<Env>): DomainError {
  const refusal = refusalOf(error)
  const request = { method: c.req.method, route: withoutSecrets(c.req.path) }
  // Something else failed, or is away; our stack would explain nothing.
  const because = reasonOf(refusal.cause)
  if (faults_of_sites.includes(refusal.code)) log.info({ ...request, because }, refusal.message)
  else if (faults_of_parts.includes(refusal.code)) log.warn({ ...request, because }, refusal.message)
  else if (refusal.status >= 500) log.error({ ...request, err: refusal.cause ?? error }, refusal.message)
  return refusal
}

/** What follows is secret in the address that a hub calls, in links, and in links of mails. */
const withoutSecrets = (path: string) => path.replace(/^\/(push|mails|s|f)\/.*/s, '/$1/…')

const faults_of_sites: ErrorCode[] = ['feed_failed', 'feed_timeout']
const faults_of_parts: ErrorCode[] = ['unavailable', 'full']

export async function refuse(c: Context<Env>, refusal: DomainError): Promise<Response> {
  setRetryAfter(c, refusal)
  if (wantsJson(c)) {
    const challenge = challengeOf(c, refusal.code)
    if (challenge) c.header('WWW-Authenticate', challenge)
    return c.json(problemOf(refusal), refusal.status, { 'Content-Type': 'application/problem+json' })
  }
  if (isFragment(c)) {
    c.header('HX-Retarget', '#flash')
    c.header('HX-Reswap', 'innerHTML')
    c.header('HX-Reselect', '.flash')
    return c.render(<FlashMessages flash={[{ kind: 'problem', text: refusal.message }]} />, refusal.status)
  }
  const detail = linkFault(c, refusal) ?? refusal.message
  const page = <ErrorPage page={pageOf(c)} title={refusal.title} detail={detail} next={onwardFrom(c, refusal)} />
  return c.render(page, refusal.status)
}

/** What is wrong with the link that led here: the first parameter that is not valid, with the beginning of its value. */
function linkFault(c: Context<Env>, { code, fields }: DomainError): string | undefined {
  const [name] = Object.keys(fields)
  const value = name === undefined ? undefined : c.req.query(name)
  if (code !== 'invalid' || c.req.method !== 'GET' || value === undefined) return undefined
  return `This link doesn't work: the ${name?.replaceAll('_', ' ')} “${value.slice(0, 40)}” is not valid.`
}

/**
 * The button of an error page: try again after a passing fault, go back to a form, or go to the first page. None while a proxy names a
 * person who may not come in: the page to sign in gives the same answer.
 */
function onwardFrom(c: Context<Env>, { status }: DomainError) {
  // A page never repeats the address of a link.
  if (isLink(c.req.path)) return undefined
  const { pathname, search } = new URL(c.req.url)
  if ((status === 429 || status >= 500) && c.req.method === 'GET')
    return { href: safeNext(pathname + search), label: 'Try again' }
  const before = pageBefore(c.req.header('referer'), c.var.here, '')
  if (c.req.method !== 'GET' && before) return { href: before, label: 'Go back' }
  if (c.var.user) return { href: '/', label: 'Go to New' }
  return c.var.proxy_header === undefined || c.var.unlinked ? { href: '/login', label: 'Sign in' } : undefined
}

/** RFC 6750: tells a program which token it needs. */
function challengeOf(c: Context<Env>, code: ErrorCode): string | undefined {
  if (code === 'signed_out') return 'Bearer'
  if (code === 'invalid_token') return 'Bearer error="invalid_token"'
  if (code !== 'insufficient_scope') return undefined
  return `Bearer error="insufficient_scope", scope="${scopeFor(c.req.method, c.req.path)}"`
}

const problemOf = (refusal: DomainError): Problem => ({
  type: 'about:blank',
  title: refusal.title,
  status: refusal.status,
  detail: refusal.message,
  ...(Object.keys(refusal.fields).length > 0 && { errors: refusal.fields }),
})

const full = 'The disk of the database is full, so this was not saved. Tell an administrator, and try again later.'
const read_only = 'The database is read-only, so this was not saved. Tell an administrator, and try again later.'

function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof HTTPException && error.status < 500) {
    return new DomainError(codeOf(error.status), 'This request could not be read. Check its format.', {
      cause: error,
    })
  }
  if (isFull(error)) {
    recordFull()
    return new DomainError('full', full, { cause: error, retry_after_s: 5 })
  }
  if (isReadOnly(error)) return new DomainError('unavailable', read_only, { cause: error, retry_after_s: 60 })
  if (isAway(error)) {
    const sentence = 'The database does not answer. Try again in a moment.'
    return new DomainError('unavailable', sentence, { cause: error, retry_after_s: 5 })
  }
  const away = awaySentence(error)
  if (away !== undefined) return new DomainError('unavailable', away, { cause: error, retry_after_s: 5 })
  if (holdsNul(error)) {
    return new DomainError('bad_request', "This contains a character that can't be stored.", { cause: error })
  }
  return new DomainError('internal', 'Something went wrong on the server. It has been logged. Try again later.', {
    cause: error,
  })
}

/** Postgres refuses NUL in text (22021) and in JSON (22P05). Only a malicious request contains one. */
const holdsNul = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '22021' || error.code === '22P05')

/** Refuses requests that no route takes: 405 when the address has other methods, else 404. */
export const notFound = (app: Hono<Env>) => (c: Context<Env>) => {
  const allowed = methodsOf(app, c.req.path)
  if (allowed.length === 0 || allowed.includes(c.req.method)) throw nothingHere()
  c.header('Allow', allowed.join(', '))
  throw new DomainError('method_not_allowed', `Only ${allowed.join(', ')} is possible here.`)
}

/** Empty when the address is unknown. Middleware is mounted for every method and does not count. */
function methodsOf(app: Hono<Env>, path: string): string[] {
  const methods = ['GET', 'POST', 'PUT', 'DELETE'].filter(method =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  )
  return methods.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
