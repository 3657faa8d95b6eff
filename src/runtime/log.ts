/** Structured logs, one line each. Log no secrets: no request bodies, no headers, no database addresses. */
import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Synchronous, so that the last lines of a dying process are not lost. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: name => ({ level: name }) },
    serializers: { err: withoutAddress },
  })

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
