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
    serializers: { err: faultOf },
  })

/** A connection that failed says which one it was, in many places; its code is enough. */
function faultOf(fault: unknown) {
  const code = fault instanceof Error && 'code' in fault ? String(fault.code) : ''
  if (/^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENOTFOUND)/.test(code)) return { code }
  return pino.stdSerializers.err(fault as Error)
}
