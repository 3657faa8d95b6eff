/** A text with what was searched for in it. Its pieces are text, and so nothing in them comes alive. */
import type { Highlighted } from '../../schema/search.ts'

export const MarkedText = ({ pieces }: { pieces: Highlighted }) => (
  <>{pieces.map(({ text, match }) => (match ? <mark>{text}</mark> : text))}</>
)
