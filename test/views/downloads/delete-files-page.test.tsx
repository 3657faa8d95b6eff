import { expect, it } from 'vitest'
import { RemovePage } from '../../../src/views/downloads/delete-files-page.tsx'
import { page } from '../../support/app/samples.ts'

it.each([
  [1, 0, 24, 'The video stays in your list. You can restore the file for 24 hours.'],
  [3, 0, 24, 'The videos stay in your list. You can restore the files for 24 hours.'],
  [1, 1, 24, 'The video stays in your list. This is the only copy. You can restore the file for 24 hours.'],
  [3, 1, 24, 'The videos stay in your list. This is the only copy of 1 video. You can restore the files for 24 hours.'],
  [
    3,
    2,
    24,
    'The videos stay in your list. This is the only copy of 2 videos. You can restore the files for 24 hours.',
  ],
  [1, 0, 0, 'The video stays in your list. You can download it again while the site still has it.'],
  [3, 0, 0, 'The videos stay in your list. You can download them again while the site still has them.'],
  [1, 1, 0, 'The video stays in your list. This is the only copy.'],
  [3, 3, 0, 'The videos stay in your list. This is the only copy of 3 videos.'],
])('the question before %i files are deleted counts %i only copies and names %i hours to restore', (...sample) => {
  const [files, only_copies, bin_hours, words] = sample
  const video_ids = Array.from({ length: files }, (_, n) => `v${n}`)
  const shown = <RemovePage page={page({ bin_hours })} video_ids={video_ids} bytes={5} only_copies={only_copies} />
  const [question] = String(shown).match(/(?<=<p>)The videos? .*?(?=<)/) ?? []
  expect(question?.trim()).toBe(words)
})
