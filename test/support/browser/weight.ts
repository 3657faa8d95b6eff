/** In a browser: measures a page's bytes and requests on the first visit and the next, and its layout shift. */
import type { CDPSession, Page } from 'playwright-core'

export type Weight = {
  /** Bytes as transferred, headers included, without pictures and films. */
  bytes: number
  /** The same, decompressed. */
  raw_bytes: number
  html_bytes: number
  requests: number
}
export type Cost = {
  first: Weight
  second: Weight
  first_paint_ms: number
  second_paint_ms: number
  shift: number
  moved: string[]
}

/** Lighthouse's Slow 4G: 150 ms round trip, 1.6 Mbit/s down, 750 kbit/s up, without the factors of its simulation. */
export const slow_4g = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}

/** `line`: the network to emulate, if any. `page` belongs to a context that has opened nothing yet. */
export async function costOf(page: Page, path: string, line?: typeof slow_4g): Promise<Cost> {
  const session = await page.context().newCDPSession(page)
  // Chromium caches nothing while a route handler intercepts requests.
  await page.context().unrouteAll()
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: false })
  await session.send('Network.setBlockedURLs', { urls: ['*.example/*', '*.example:*'] })
  if (line) await session.send('Network.emulateNetworkConditions', line)
  await page.addInitScript(watchShifts)
  const seen = weigh(session)
  const visit = async () => {
    const before = seen.start()
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    return { weight: before(), ...(await page.evaluate(paintAndShift)) }
  }
  const first = await visit()
  const second = await visit()
  await session.detach()
  return {
    first: first.weight,
    second: second.weight,
    first_paint_ms: first.paint_ms,
    second_paint_ms: second.paint_ms,
    shift: Math.max(first.shift, second.shift),
    moved: [...first.moved, ...second.moved],
  }
}

function weigh(session: CDPSession) {
  const asked = new Map<string, { type: string; from_cache: boolean; raw: number; line: number }>()
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    // For an answer from the memory cache, Chromium reports this event after `requestServedFromCache`.
    const from_cache = response.fromDiskCache === true || asked.get(requestId)?.from_cache === true
    asked.set(requestId, { type, from_cache, raw: 0, line: 0 })
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => {
    const known = asked.get(requestId)
    if (known) known.from_cache = true
    else asked.set(requestId, { type: 'Cached', from_cache: true, raw: 0, line: 0 })
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const known = asked.get(requestId)
    if (known) known.raw += dataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const known = asked.get(requestId)
    if (known) known.line = encodedDataLength
  })
  const start = () => {
    asked.clear()
    return (): Weight => {
      const fetched = [...asked.values()].filter(({ from_cache, type }) => !from_cache && !pictures.has(type))
      const sum = (of: (one: (typeof fetched)[number]) => number) => fetched.reduce((all, one) => all + of(one), 0)
      return {
        bytes: sum(({ line }) => line),
        raw_bytes: sum(({ raw }) => raw),
        html_bytes: sum(({ type, line }) => (type === 'Document' ? line : 0)),
        requests: fetched.length,
      }
    }
  }
  return { start }
}

const pictures = new Set(['Image', 'Media'])

/** Runs in the page, before anything else. */
function watchShifts() {
  const page = window as unknown as Watched
  page.shift = 0
  page.moved = []
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & Shift)[])
      if (!entry.hadRecentInput) {
        page.shift += entry.value
        page.moved.push(
          ...entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 80) : '')),
        )
      }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Runs in the page. */
function paintAndShift() {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  const { shift, moved } = window as unknown as Watched
  return { paint_ms: Math.round(paint?.startTime ?? 0), shift, moved }
}

type Watched = { shift: number; moved: string[] }
type Shift = { value: number; hadRecentInput: boolean; sources: { node?: Node }[] }
