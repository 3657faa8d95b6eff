/** "Why?" beside the one line of a state: the whole reason, what the tool said, and what can be done. */
import type { Child } from 'hono/jsx'
import { titleId } from './cell-ids.ts'

type WhyProps = { video_id: string; detail?: string | null; actions?: Child; children?: Child }

export const Why = ({ video_id, detail, actions, children }: WhyProps) => (
  <details class="menu why">
    <summary class="button quiet" aria-describedby={titleId(video_id)}>
      Why?
    </summary>
    <div class="panel">
      <p>{children}</p>
      {detail && <code>{detail}</code>}
      {actions && <div class="actions">{actions}</div>}
    </div>
  </details>
)

/** The first sentence of a reason, without its full stop: enough for the line of a card. */
export const firstSentence = (reason: string): string => reason.match(/^.*?(?=[.!?](\s|$))/s)?.[0] ?? reason
