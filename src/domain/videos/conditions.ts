/** Whether a conditional request gets the file, nothing new, or a refusal. Pure; RFC 9110, section 13.2.2. */

export type Conditions = {
  if_match?: string | undefined
  if_unmodified_since?: string | undefined
  if_none_match?: string | undefined
  if_modified_since?: string | undefined
}
type Known = { etag: string; modified_at: Date }

export function conditionOf(asked: Conditions, { etag, modified_at }: Known): 'send' | 'not_modified' | 'failed' {
  const modified_s = Math.floor(modified_at.getTime() / 1000)
  const seconds = (date: string) => Date.parse(date) / 1000

  if (asked.if_match !== undefined) {
    if (!names(asked.if_match, etag)) return 'failed'
  } else if (asked.if_unmodified_since !== undefined && modified_s > seconds(asked.if_unmodified_since)) return 'failed'

  if (asked.if_none_match !== undefined) {
    return names(asked.if_none_match.replaceAll('W/', ''), etag) ? 'not_modified' : 'send'
  }
  if (asked.if_modified_since !== undefined && modified_s <= seconds(asked.if_modified_since)) return 'not_modified'
  return 'send'
}

const names = (list: string, etag: string) =>
  list.trim() === '*' ||
  list
    .split(',')
    .map(tag => tag.trim())
    .includes(etag)
