/** Reads the output of a tool line by line. Limiting how much it prints is left to `process.ts`. */
import type { Readable } from 'node:stream'

/** Only \n ends a line. With any other separator, text that a site chose could start a line of its own. */
export async function eachLine(
  stream: Readable,
  max_length: number,
  onText: (length: number) => void,
  onLine: (line: string) => Promise<void>,
): Promise<void> {
  let rest = ''
  for await (const text of stream.setEncoding('utf8') as AsyncIterable<string>) {
    onText(text.length)
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, max_length)
    for (const line of lines.map(withoutReturn)) if (line !== '') await onLine(line)
  }
  if (rest !== '') await onLine(withoutReturn(rest))
}

/** Lines end with \r\n on Windows. */
const withoutReturn = (line: string) => line.replace(/\r$/, '')
