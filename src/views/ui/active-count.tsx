/** The number next to "Downloads" in the navigation: how many of them run or wait. */
import { numberWords } from './words.ts'

export const ActiveCount = ({ count }: { count: number }) => (
  <span id="active-downloads" class="active-count">
    {count > 0 && (
      <>
        {count > most_shown ? `${most_shown}+` : numberWords(count)}
        <span class="spoken"> running or queued</span>
      </>
    )}
  </span>
)

const most_shown = 999

/** In an answer to htmx that may have changed it. */
export const ActiveCountPartial = ({ count }: { count: number }) => (
  <hx-partial hx-target="#active-downloads" hx-swap="outerHTML">
    <ActiveCount count={count} />
  </hx-partial>
)
