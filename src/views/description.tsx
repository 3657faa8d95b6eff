/** A description as its author broke it into lines, with its web addresses as links and nothing else alive. */
import { webUrl } from './words.ts'

export const Description = ({ text }: { text: string }) => (
  <section class="description" aria-label="Description">
    {linkPieces(text).map(({ words, href }) =>
      href ? (
        <a href={href} rel="noreferrer nofollow ugc">
          {words}
        </a>
      ) : (
        words
      ),
    )}
  </section>
)

/** The text in pieces, in order and nothing lost. A full stop or bracket after an address is not part of it. */
export function linkPieces(text: string): { words: string; href?: string }[] {
  return text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i).map((words, index) => {
    const href = index % 2 === 1 ? webUrl(words) : undefined
    return href ? { words, href } : { words }
  })
}
