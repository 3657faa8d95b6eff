/** Compares the tags of conditional requests (RFC 9110, section 13.1.2). */

/** Whether `If-None-Match` names this tag. A proxy that compresses makes a tag weak. */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  header
    ?.replaceAll('W/', '')
    .split(',')
    .some(tag => tag.trim() === etag || tag.trim() === '*') ?? false
