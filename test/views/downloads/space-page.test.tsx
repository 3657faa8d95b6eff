/** The button that deletes watched videos asks first where nothing brings them back. */
import { expect, it } from 'vitest'
import { DeleteWatched } from '../../../src/views/downloads/space-page.tsx'

const watched = { files: 2, bytes: 20, pinned: 1, only_copies: 0 }
const shown = (bin_hours: number) => String(<DeleteWatched watched={watched} days={30} bin_hours={bin_hours} />)

it('files that the bin keeps are deleted by one press', () => {
  expect(shown(24)).not.toContain('<details')
  expect(shown(24)).toContain('You can restore the files for 24 hours. 1 video marked “Never delete” stays.')
})

it('files that are gone for good are asked about first', () => {
  const [, question = ''] =
    /^<details class="ask[^>]*><summary[^>]*>Delete 2 watched videos, 20 bytes…<\/summary>(.*)/.exec(shown(0)) ?? []
  expect(question).toContain('action="/space/delete-watched"')
  expect(question).toContain(
    'Delete 2 watched videos, 20 bytes? They cannot be restored. 1 video marked “Never delete” stays.',
  )
  expect(question).toMatch(/<button[^>]*class="button danger"/)
})

it('one file is asked about as one', () => {
  const one = String(<DeleteWatched watched={{ ...watched, files: 1 }} days={30} bin_hours={0} />)
  expect(one).toContain('It cannot be restored.')
})
