// Long lists: a list has its former length and position when a person comes back to it, and its links name it.

import { base } from './site.js'

/** A list that grows by scrolling. */
const listed = () => (document.querySelector('#older') ? document.querySelector('#videos, #channels') : null)
const lengthOfList = () => listed()?.children.length ?? 0
// A list that appears later, such as results of a search, is not one to grow again.
const first_length = listed() ? lengthOfList() : Number.POSITIVE_INFINITY

window.addEventListener('pagehide', () => {
  const count = lengthOfList()
  if (count > first_length) history.replaceState({ ...history.state, grown: { count, scroll: scrollY } }, '')
})

const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'))
if (visit?.type === 'back_forward' && history.state?.grown) growAgain(history.state.grown)

/** @param {{ count: number, scroll: number }} former */
function growAgain({ count, scroll }) {
  const link = document.querySelector('#older-link')
  if (!link || lengthOfList() >= count) return scrollTo(0, scroll)
  // The link loads the next page when it comes into view.
  link.scrollIntoView()
  /** @param {DocumentEventMap['htmx:finally:request']} event */
  const growFurther = ({ detail }) => {
    // The response replaces the link. htmx then reports the list as the source of the request.
    const has_arrived = !link.isConnected
    if (!has_arrived && detail.ctx?.sourceElement !== link) return
    document.removeEventListener('htmx:finally:request', growFurther)
    // A failed request is not repeated: the reader can still press the link.
    if (has_arrived) setTimeout(growAgain, 0, { count, scroll })
  }
  document.addEventListener('htmx:finally:request', growFurther)
}

// A link to a video names the list that it is in, so that the next video is of the same list. The server stores cards without a list,
// and a file may have arrived since, so the address is completed when a link is about to be used.
for (const name of /** @type {const} */ (['pointerdown', 'focusin']))
  document.addEventListener(name, ({ target }) => {
    /** @type {HTMLAnchorElement | null} */
    const link = target.closest(`a[href^="${base}/watch/"]`)
    const address = link && new URL(link.href)
    if (!address) return
    const { list } = link.closest('[data-list]')?.dataset ?? {}
    if (list) address.searchParams.set('list', list)
    if (link.matches('.title a') && link.closest('.row, .video')?.querySelector('.cell.completed'))
      address.searchParams.set('now', '')
    link.href = address.pathname + address.search + address.hash
  })
