/** Cuts the texts of messages to what a receiver takes. */
import { withoutBidiControls } from '../schema/values/direction.ts'

/** At most `most` bytes of UTF-8; ends in `…` where it was cut, and never in half a character. */
export function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  const room = most - Buffer.byteLength('…')
  let [kept, size] = ['', 0]
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > room) break
    kept += character
  }
  return `${kept}…`
}

/** In one line, without characters that end a line, or turn the direction of everything after them. */
export const oneLine = (text: string): string =>
  withoutBidiControls(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
