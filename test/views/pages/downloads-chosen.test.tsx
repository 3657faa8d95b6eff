import { expect, it } from 'vitest'
import { RemovePage } from '../../../src/views/pages/downloads-chosen.tsx'
import { page } from '../../support/app/samples.ts'

it.each([
  [1, 0, 'The video stays in your list. You can download it again while the site still has it.'],
  [3, 0, 'The videos stay in your list. You can download them again while the site still has them.'],
  [1, 1, 'The video stays in your list. It is no longer on the site, so you cannot download it again.'],
  [3, 1, 'The videos stay in your list. 1 is no longer on the site, so you cannot download it again.'],
  [3, 2, 'The videos stay in your list. 2 are no longer on the site, so you cannot download them again.'],
  [3, 3, 'The videos stay in your list. They are no longer on the site, so you cannot download them again.'],
])('the question before %i files are deleted counts the %i only copies', (files, only_copies, words) => {
  const video_ids = Array.from({ length: files }, (_, n) => `v${n}`)
  expect(String(<RemovePage page={page()} video_ids={video_ids} bytes={5} only_copies={only_copies} />)).toContain(
    words,
  )
})
