/** Finds web addresses in text that people write. Whether they can be fetched is left to others. Pure. */

/** Ends at spaces, at characters that must be escaped in addresses, and at the punctuation of other scripts. */
export const written_address =
  /(?:feed:)?https?:\/\/[^\s<>"'`|\\^{}“”„«»‘’‹›…、。，；：！？（）【】「」『』《》〈〉〔〕｡､｢｣।،؛؟]+/gi

/** Without the punctuation behind it. A bracket belongs to the address if it closes one of the address. */
export function withoutPunctuation(address: string): string {
  const open = { ')': count(address, '('), ']': count(address, '[') }
  const closed = { ')': count(address, ')'), ']': count(address, ']') }
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? ''
    if (last === ')' || last === ']') {
      if (closed[last] <= open[last]) break
      closed[last] -= 1
    } else if (!/[.,;:!?*]/.test(last)) break
  }
  return address.slice(0, end)
}

const count = (text: string, sign: string) => text.split(sign).length - 1
