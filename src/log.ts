/** Structured logs, one line each. Secrets never get here: no request bodies, no headers, no addresses of databases. */
import { type Logger, pino } from 'pino'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Synchronous, so that the last words of a dying process are not lost. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: name => ({ level: name }) },
  })
