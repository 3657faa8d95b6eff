/** The button that deletes the files of watched videos, with what it frees and what stays. */
import { most_deleted, type WatchedDays, type WatchedSpace } from '../../schema/downloads/space.ts'
import { Button } from './forms.tsx'
import { undoWords } from './only-copy.ts'
import { bytesWords, countWords, numberWords } from './words.ts'

type Props = { watched: WatchedSpace; days: WatchedDays; bin_hours: number }

export const DeleteWatched = (props: Props) => {
  const { watched, days, bin_hours } = props
  if (watched.files === 0) return <p class="quiet">Nothing to delete. {staysWords(watched)}</p>
  if (bin_hours === 0) return <DeleteForGood {...props} />
  return (
    <form class="actions delete-watched" method="post" action={action}>
      <Days days={days} />
      <Button kind="main" busy="Deleting…">
        {deleteWords(watched)}
      </Button>
      <p class="quiet">
        {undoWords(bin_hours, watched.files === 1 ? 'the file' : 'the files')} {staysWords(watched)}
      </p>
    </form>
  )
}

/** Nothing undoes it, so it asks first. */
const DeleteForGood = ({ watched, days }: Props) => (
  <details class="ask">
    <summary class="button plain">{deleteWords(watched)}…</summary>
    <form method="post" action={action}>
      <Days days={days} />
      <p>
        {deleteWords(watched)}? {watched.files === 1 ? 'It' : 'They'} cannot be restored. {staysWords(watched)}
      </p>
      <Button kind="danger" busy="Deleting…">
        Delete for good
      </Button>
    </form>
  </details>
)

const action = '/space/delete-watched'
const Days = ({ days }: Pick<Props, 'days'>) => <input type="hidden" name="older_than_days" value={days} />

/** More than one request deletes are not promised by the button. */
const deleteWords = ({ files, bytes }: WatchedSpace) =>
  files <= most_deleted
    ? `Delete ${countWords(files, 'watched video')}, ${bytesWords(bytes)}`
    : `Delete ${numberWords(most_deleted)} of ${numberWords(files)} watched videos`

/** "2 videos kept forever and 1 video without another copy stay." */
export function staysWords({ pinned, only_copies }: Pick<WatchedSpace, 'pinned' | 'only_copies'>): string {
  if (pinned + only_copies === 0) return ''
  const parts = [
    pinned > 0 && `${countWords(pinned, 'video')} kept forever`,
    only_copies > 0 && `${countWords(only_copies, 'video')} without another copy`,
  ].filter(Boolean)
  return `${parts.join(' and ')} ${pinned + only_copies === 1 ? 'stays' : 'stay'}.`
}
