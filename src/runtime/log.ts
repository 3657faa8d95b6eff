/** Structured logs, one line each; on a terminal, plain ones. Log no secrets: no request bodies, no headers, no database addresses. */
import process from 'node:process'
import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Synchronous, so that the last lines of a dying process are not lost. */
export const createLog = (level: string, is_terminal = process.stdout.isTTY): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: name => ({ level: name }) },
      serializers: { err: withoutAddress },
    },
    is_terminal ? { write: line => process.stdout.write(plain(line)) } : pino.destination(1),
  )

/** One of our lines for people: the message, then what it is about. A terminal would obey control characters, such as those of a title. */
export function plain(line: string): string {
  const { level, time, msg, err, ...about } = JSON.parse(line) as Record<string, unknown>
  const mark = level === 'warn' ? 'Warning: ' : level === 'error' || level === 'fatal' ? 'Error: ' : ''
  const clock = new Date(String(time)).toTimeString().slice(0, 8)
  const details = Object.entries(about).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  const { stack, message, code } = (err ?? {}) as { stack?: string; message?: string; code?: string }
  const reason = stack ?? message ?? code
  return `${clock} ${mark}${msg ?? ''}${details.join('')}${reason ? `\n  ${reason}` : ''}\n`.replace(
    /[^\n\t\P{C}]/gu,
    '',
  )
}

/**
 * The error of a failed connection contains the database address, so only its code is logged. Of a database that is full, restarting or
 * read-only, many statements fail; their stacks would explain nothing.
 */
function withoutAddress(fault: unknown) {
  const code = codeOf(fault)
  if (/^(53100|57P0.|25006)$/.test(code)) return { code, message: (fault as Error).message }
  if (names_address.test(code)) return { code }
  return pino.stdSerializers.err(fault as Error)
}

/** In one line, for a fault whose stack would explain nothing. */
export const reasonOf = (fault: unknown): string =>
  names_address.test(codeOf(fault)) ? codeOf(fault) : String(fault ?? '')

const names_address = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENOTFOUND)/
const codeOf = (fault: unknown): string => (fault instanceof Error && 'code' in fault ? String(fault.code) : '')
