/** Decides how to answer a conditional request: send the file, 304, or 412. Pure; RFC 9110, section 13.2.2. */

export type Conditions = {
  if_match?: string | undefined
  if_unmodified_since?: string | undefined
  if_none_match?: string | undefined
  if_modified_since?: string | undefined
}
type Known = { etag: string; modified_at: Date }

export function conditionOf(given: Conditions, { etag, modified_at }: Known): 'send' | 'not_modified' | 'failed' {
  const modified_s = Math.floor(modified_at.getTime() / 1000)
  const seconds = (date: string) => Date.parse(date) / 1000

  if (given.if_match !== undefined) {
    if (!names(given.if_match, etag)) return 'failed'
  } else if (given.if_unmodified_since !== undefined && modified_s > seconds(given.if_unmodified_since)) return 'failed'

  if (given.if_none_match !== undefined) {
    return names(given.if_none_match.replaceAll('W/', ''), etag) ? 'not_modified' : 'send'
  }
  if (given.if_modified_since !== undefined && modified_s <= seconds(given.if_modified_since)) return 'not_modified'
  return 'send'
}

const names = (list: string, etag: string) =>
  list.trim() === '*' ||
  list
    .split(',')
    .map(tag => tag.trim())
    .includes(etag)
