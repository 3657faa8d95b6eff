/** In a browser: measures a page's bytes and requests on the first visit and the next, and its layout shift. */
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'

/** Without what scripts request by the clock: how much of that there is depends on how long the visit takes. */
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
  const { visit, close } = await visitor(page, line)
  const first = await visit(path)
  const second = await visit(path)
  await close()
  return {
    first: first.weight,
    second: second.weight,
    first_paint_ms: first.paint_ms,
    second_paint_ms: second.paint_ms,
    shift: Math.max(first.shift, second.shift),
    moved: [...first.moved, ...second.moved],
  }
}

/** What moves while a page is opened once. */
export async function shiftOf(page: Page, path: string): Promise<{ shift: number; moved: string[] }> {
  const { visit, close } = await visitor(page)
  const { shift, moved } = await visit(path)
  await close()
  return { shift, moved }
}

async function visitor(page: Page, line?: typeof slow_4g) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  if (line) await session.send('Network.emulateNetworkConditions', line)
  await page.addInitScript(watchShifts)
  const seen = weigh(session)
  const visit = async (path: string) => {
    const before = seen.start()
    await page.goto(path)
    await seen.quiet()
    return { weight: before(), ...(await page.evaluate(paintAndShift)) }
  }
  return { visit, close: () => session.detach() }
}

type Request = { type: string; by_clock: boolean; from_cache: boolean; is_open: boolean; raw: number; line: number }

function weigh(session: CDPSession) {
  const asked = new Map<string, Request>()
  let changed_at = 0
  const change = (id: string, how: (known: Request) => void) => {
    const known = asked.get(id)
    if (!known) return
    how(known)
    if (!known.by_clock) changed_at = performance.now()
  }
  session.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    const by_clock = paths_by_clock.has(new URL(url).pathname)
    asked.set(requestId, { type: '', by_clock, from_cache: false, is_open: true, raw: 0, line: 0 })
    if (!by_clock) changed_at = performance.now()
  })
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    change(requestId, known => {
      // A script of the player requests the beginning of a film too.
      known.type = new URL(response.url).pathname.startsWith('/stream/') ? 'Media' : type
      known.from_cache ||= response.fromDiskCache === true
    }),
  )
  // For an answer from the memory cache, Chromium reports this event before `responseReceived`.
  session.on('Network.requestServedFromCache', ({ requestId }) =>
    change(requestId, known => {
      known.from_cache = true
    }),
  )
  session.on('Network.dataReceived', ({ requestId, dataLength }) =>
    change(requestId, known => {
      known.raw += dataLength
    }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    change(requestId, known => {
      known.line = encodedDataLength
      known.is_open = false
    }),
  )
  session.on('Network.loadingFailed', ({ requestId }) =>
    change(requestId, known => {
      known.is_open = false
    }),
  )
  const start = () => {
    asked.clear()
    return (): Weight => {
      const fetched = [...asked.values()].filter(
        ({ type, from_cache, by_clock }) => type && !from_cache && !by_clock && !pictures.has(type),
      )
      const sum = (of: (one: (typeof fetched)[number]) => number) => fetched.reduce((all, one) => all + of(one), 0)
      return {
        bytes: sum(({ line }) => line),
        raw_bytes: sum(({ raw }) => raw),
        html_bytes: sum(({ type, line }) => (type === 'Document' ? line : 0)),
        requests: fetched.length,
      }
    }
  }
  /** Waits for half a second without any request but those by the clock, which go on. */
  const quiet = async () => {
    const isBusy = () => [...asked.values()].some(({ is_open, by_clock }) => is_open && !by_clock)
    while (isBusy() || performance.now() - changed_at < 500) await pause(50)
  }
  return { start, quiet }
}

/** The polls of downloads, and the question for pictures that are not stored yet. */
const paths_by_clock = new Set(['/api/download/status', '/pictures'])

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
