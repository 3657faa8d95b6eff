/** A list as a person writes it: one address on each line, whatever stands around it. Pure. */
import type { RawLine } from './parse-list.ts'

/** What stands behind a `#` is a remark. A line without an address is kept as it stands, and fails by itself. */
export function* addressesIn(text: string): Generator<RawLine> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const plain = line.trim()
    if (plain === '' || plain.startsWith('#')) continue
    const [address] = /(?:feed:)?https?:\/\/[^\s<>"'`]+/i.exec(plain) ?? [withoutRemark(plain)]
    yield { address }
  }
}

const withoutRemark = (line: string) =>
  line
    .replace(/\s#.*$/, '')
    .replace(/^[-*•]\s+/, '')
    .trim()

export const isChannelId = (text: string): boolean => /^UC[A-Za-z0-9_-]{22}$/.test(text)

/** As YouTube writes it. */
export const addressOfId = (channel_id: string): string => `https://www.youtube.com/channel/${channel_id}`
