/**
 * Reads `watch-history.html` of Google Takeout. Its words are in the language of the account, so entries are found by the classes of
 * their boxes, the address of the video and the order of the lines.
 */
import { withoutEntities } from '../markup/entities.ts'
import { entryAt } from './history-items.ts'
import type { LeftOut, Mark } from './marks.ts'
import { writtenDate } from './written-date.ts'

const begin = 'outer-cell'

export const isTakeoutHtml = (head: string): boolean => head.includes(begin) && head.includes('content-cell')

/** Every entry, in the order of the file. A box of more than 256 KB is cut. */
export async function* takeoutBoxesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Mark | LeftOut> {
  const decoder = new TextDecoder()
  let text = ''
  let is_first = true
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const boxes = text.split(begin)
    text = (boxes.pop() ?? '').slice(0, max_box)
    for (const box of boxes) {
      // The styles of the page come before the first box.
      const entry = is_first ? undefined : entryIn(box)
      is_first = false
      if (entry) yield entry
    }
  }
  const last = is_first ? undefined : entryIn(text)
  if (last) yield last
}

const max_box = 256 * 1024

function entryIn(box: string): Mark | LeftOut | undefined {
  const [head = '', content, , caption = ''] = box.slice(0, max_box).split('content-cell')
  if (content === undefined) return undefined
  if (/music/i.test(withoutTags(head))) return 'music'
  // Products and the reason are always there. Only an advertisement has details, too.
  if ((caption.match(/<b>/g) ?? []).length >= 3) return 'ads'
  const [, address] = /<a href="([^"]{1,2100})"/.exec(content) ?? []
  const date = writtenDate(lastLineOf(content))
  return address === undefined ? 'removed' : entryAt(withoutEntities(address), date)
}

/** The last text before the end of the box, without its tags. */
const lastLineOf = (content: string): string =>
  content
    .split(/<\/div>/)[0]
    ?.split(/<br\s*\/?>/i)
    .map(line => withoutEntities(withoutTags(line)).trim())
    .findLast(line => line !== '') ?? ''

/** A tag ends at the next `<`, so that the time is proportional to the length, whatever the text is. */
const withoutTags = (text: string): string => text.replace(/<[^<>]*>/g, ' ')
