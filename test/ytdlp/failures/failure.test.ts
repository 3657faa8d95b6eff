import { expect, it } from 'vitest'
import { DownloadError } from '../../../src/schema/downloads/download.ts'
import { error_table } from '../../../src/ytdlp/failures/error-table.ts'
import { availabilityOf, diskFailure, failures, isRefusedPage } from '../../../src/ytdlp/failures/failure.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'

it('tries a download again that fell silent, and not one that took too long', () => {
  expect(failures.silent.kind).toBe('transient')
  expect(failures.too_long.kind).toBe('permanent')
})

it('says of a refusal by our own proxy only that the link leads to no public site', () => {
  expect(failures.refused_address.sentence).toContain('does not lead to a public site')
})

it.each([
  ['ENOSPC', 'no_room'],
  ['53100', 'no_room'],
  ['EACCES', 'local'],
  ['EROFS', 'storage'],
  ['ESTALE', 'storage'],
  ['STORAGE_AWAY', 'storage'],
  ['EIO', 'local'],
  ['ECONNRESET', undefined],
])('recognises a fault of the disk by its code: %s is %s', (code, reason) => {
  expect(diskFailure(Object.assign(new Error('any words'), { code }))?.reason).toBe(reason)
})

it('a fault of the disk keeps the words of the system, without the path', () => {
  const message = "EACCES: permission denied, mkdir '/srv/downloads/a'"
  const failure = diskFailure(Object.assign(new Error(message), { code: 'EACCES' }))
  expect(failure?.detail).toBe("EACCES: permission denied, mkdir '…'")
})

it('does not recognise a fault of the disk by its words', () => {
  expect(diskFailure(new Error('ENOSPC: no space left on device'))).toBeUndefined()
})

it.each([...error_table.map(([, failure]) => failure), ...Object.values(failures)].map(({ sentence }) => sentence))(
  'says in plain words that fit the column: %s',
  sentence => {
    expect(DownloadError.safeParse(sentence).success).toBe(true)
    expect(sentence).not.toMatch(/yt-dlp|ffmpeg|http|error|proxy|format|codec/i)
    expect(sentence).toMatch(/\.$/)
  },
)

it.each([
  ['Private video. Sign in if you have been granted access to this video', 'private'],
  ['Join this channel to get access to members-only content like this video', 'members_only'],
  ['Video unavailable. This video has been removed by the uploader', 'removed'],
  ['Sign in to confirm your age. This video may be inappropriate for some users.', 'age_restricted'],
  ['Sign in to confirm you’re not a bot', null],
  ['This video is only available for registered users. Use --cookies', null],
  ['Unable to download webpage: HTTP Error 404: Not Found', null],
  ['HTTP Error 503: Service Unavailable', null],
])('the failure "%s" means availability %s', (said, availability) => {
  expect(availabilityOf(failureOf({ said: `ERROR: [youtube] abc: ${said}` }))).toBe(availability)
})

it.each([
  [true, '[generic] a: Unable to download webpage: HTTP Error 403: Forbidden (caused by <HTTPError 403: Forbidden>)'],
  [true, '[site] a: Unable to download JSON metadata: HTTP Error 403: Forbidden'],
  [true, '[site] a: Failed to download m3u8 information: HTTP Error 403: Forbidden'],
  [false, 'unable to download video data: HTTP Error 403: Forbidden'],
  [false, "Unable to download video subtitles for 'en': HTTP Error 403: Forbidden"],
  [false, 'fragment 1 not found, unable to continue: HTTP Error 403: Forbidden'],
  [false, '[site] a: Unable to download webpage: HTTP Error 503: Service Unavailable'],
  [
    false,
    '[site] a: This video is not available in your country. Unable to download webpage: HTTP Error 403: Forbidden',
  ],
])('takes a 403 for the refusal of a page, and not of data: %s for %s', (is_page, said) => {
  expect(isRefusedPage(failureOf({ said: `ERROR: ${said}` }))).toBe(is_page)
})
