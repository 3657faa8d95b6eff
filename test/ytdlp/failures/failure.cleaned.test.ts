import { expect, it } from 'vitest'
import { cleaned } from '../../../src/ytdlp/failures/failure.ts'

it('a clean text is one short line without paths, machine addresses and control characters', () => {
  const said = `ERROR: \u001b[31mcannot\u001b[0m open /srv/data/alice/video.mp4\u0000 from 10.0.0.7:80 of https://example.org/a/b ${'🎬'.repeat(900)}`

  const detail = cleaned(said)

  expect(detail).toMatch(/^ERROR: cannot open … from … of https:\/\/example.org\/a\/b 🎬/)
  expect(detail.length).toBeLessThanOrEqual(1000)
  expect(detail.isWellFormed()).toBe(true)
})

it.each([
  "ERROR: unable to open for writing: [Errno 13] Permission denied: '/srv/data/alice/x.mp4.part'",
  'ERROR: file:/srv/data/alice/x.mp4 is gone',
  'ERROR: file:///srv/data/alice is gone',
  'ERROR: Postprocessing: Error opening output files:/srv/data/alice/x.mp4',
  'ERROR: cannot read path=/srv/data/alice/x.mp4',
  'ERROR: cannot read C:\\srv\\data\\alice\\x.mp4',
])('our own paths are removed from: %s', said => {
  const detail = cleaned(said)
  expect(detail).toMatch(/^ERROR: /)
  expect(detail).not.toMatch(/srv|alice/)
})

it.each([
  ['8-bit colours', 'ERROR: \u009b31mbad\u0085'],
  ['a machine by its number', 'ERROR: <urlopen error to fd00:ec2::254 or [::1]:5432, 10.0.0.1:80>'],
])('a clean text is without %s', (_, said) => {
  expect(cleaned(said)).not.toMatch(/[\u0080-\u009f]|fd00|::|10\.0/)
})

it('a clean text keeps the time of day', () => {
  expect(cleaned('ERROR: Premieres at 12:30:45')).toBe('ERROR: Premieres at 12:30:45')
})
