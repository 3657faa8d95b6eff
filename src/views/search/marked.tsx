/** A text with the words of the search highlighted. Its pieces are escaped as text. */
import type { Highlighted } from '../../schema/search/search.ts'

export const MarkedText = ({ pieces }: { pieces: Highlighted }) => (
  <>{pieces.map(({ text, match }) => (match ? <mark>{text}</mark> : text))}</>
)
