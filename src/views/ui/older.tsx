/**
 * The link to the next page of a list. htmx follows it shortly before it scrolls into view, fetches the whole next page
 * and appends only its rows, so that checkboxes, focus and progress bars stay as they are.
 */
import { pathWith } from './paths.ts'
import { renderedText } from './rendered.ts'

type OlderProps = {
  path: string
  parameters: Record<string, string | undefined>
  /** `null`: this is the last page. */
  cursor: string | null
  /** The id of the list that grows. A page has one such list and one such link. */
  list?: string
  label?: string
}

export function Older({ path, parameters, cursor, list = videos_id, label = 'Older videos' }: OlderProps) {
  const next = cursor === null ? undefined : pathWith(path, { ...parameters, cursor })
  return (
    <p class="older" id="older">
      {next && (
        <a
          id="older-link"
          class="button plain"
          rel="next"
          href={next}
          hx-get={next}
          hx-trigger="click, revealed rootMargin:400px"
          hx-target={`#${list}`}
          hx-select={`#${list} > *`}
          hx-swap="beforeend"
          data-busy={loading}
          hx-select-oob={joined}
        >
          {label}
        </a>
      )}
    </p>
  )
}

const loading = renderedText('Loading…')

/** The id of the list of videos on a page. */
export const videos_id = 'videos'

/** The poll covers the new cells too. A page without moving downloads brings no ticker and keeps the present one. */
const joined = '#older, #polled:beforeend, #polling.asking'
