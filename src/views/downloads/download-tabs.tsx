/** The tabs of the downloads page: the beginning of every shelf, or one shelf, each with its count. */
import type { Standing, Tally } from '../../schema/downloads/download.ts'
import { Chips } from '../ui/chips.tsx'
import { pathWith } from '../ui/paths.ts'
import { numberWords } from '../ui/words.ts'

/** The shelves in the order of the page. */
export const standings = ['running', 'waiting', 'failed', 'done'] as const satisfies Standing[]

export const shelf_names = {
  running: 'Running',
  waiting: 'Queued',
  failed: 'Failed',
  done: 'On disk',
} satisfies Record<Standing, string>

export const DownloadTabs = ({ show, tally }: { show: Standing | undefined; tally: Tally }) => (
  <Chips
    class="tabs"
    label="Downloads by state"
    chips={[
      { href: '/downloads', label: 'All', is_here: show === undefined },
      ...standings.map(standing => ({
        href: pathWith('/downloads', { show: standing }),
        label: <Name name={shelf_names[standing]} count={tally[standing]} />,
        is_here: show === standing,
      })),
    ]}
  />
)

/** A tab stays when its shelf is empty, so that the others keep their places. */
const Name = ({ name, count }: { name: string; count: number }) => (
  <>
    {name}
    {count > 0 && <span class="amount"> {numberWords(count)}</span>}
  </>
)
