/** Cleans a tool's output, so that it can be stored and shown. */
import { isIPv6 } from 'node:net'

/** One line of at most 1,000 characters, without control characters, paths or addresses of machines. */
export const cleaned = (text: string): string =>
  text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .replace(/\bfile:\/\/\S+/gi, '…')
    .replace(/(?<![\w/.]|:(?=\/\/))(?:[A-Za-z]:)?[\\/](?:[^\s'":\\/]+[\\/])+[^\s'":\\/]*/g, '…')
    .replace(/[0-9a-f:.]{2,}/gi, withoutIPv6)
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '…')
    .trim()
    .slice(0, 1000)
    .replace(/[\ud800-\udbff]$/, '')

/** A colon before the address, or a dot after it, belongs to the sentence. */
const withoutIPv6 = (run: string) => (run.length < 50 && isIPv6(run.replace(/^:(?!:)|(?<!:):$|[.]$/g, '')) ? '…' : run)
