/**
 * The way to the next page of a list: a link, which htmx follows by itself shortly before it comes into view. The page
 * it leads to is asked for whole, and only what is new of it is added, so that boxes, focus and bars stay as they are.
 */
import { pathWith } from './words.ts'

type OlderProps = {
  path: string
  parameters: Record<string, string | undefined>
  /** `null`: there is no more. */
  cursor: string | null
  /** The id of the list that goes on; it stands once on the page, and so does this. */
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
          data-busy="Loading…"
          hx-select-oob={joined}
        >
          {label}
        </a>
      )}
    </p>
  )
}

/** Of the list of videos on a page. */
export const videos_id = 'videos'

/** New cells are asked about too; a page on which all stand still brings no ticker, and leaves that of this one. */
const joined = '#older, #polled:beforeend, #polling.asking'
