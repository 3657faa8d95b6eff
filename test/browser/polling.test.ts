/** Checks when a page polls, and that a poll keeps focus, selection, ticks, menus and a playing video. */
import type { Page, Response, Route } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { beginList } from '../support/app/imports.ts'
import { follows, type Person, person } from '../support/app/people.ts'
import { fails, half, runs, scene } from '../support/app/scene.ts'
import { hurry, installClock, stopTime } from '../support/browser/clock.ts'
import { useSite } from '../support/browser/site.ts'

const site = useSite()

/** A page, as alice, in which time can pass early. */
async function opened(alice: Person, path: string) {
  const made = await site.open(alice)
  await installClock(made.page)
  await made.page.goto(path)
  return made
}

/** Every answer to a poll of this page from now on. */
function polls(page: Page): Response[] {
  const answers: Response[] = []
  page.on('response', answer => {
    if (answer.url().includes('/api/download/status')) answers.push(answer)
  })
  return answers
}
const statuses = (answers: Response[]) => answers.map(answer => answer.status())

const claimOf = async (alice: Person, video_id: string) => {
  const [row] = await site.sql<{ claim: string }[]>`
    select download_claim as claim from video_entries where user_id = ${alice.user.user_id} and video_id = ${video_id}`
  return row?.claim ?? ''
}
const percent = (alice: Person, claim: string, part: number) =>
  alice.library.downloads.beat('running', claim, { ...half, percent: part })
/** The running download finishes. */
const finish = async (alice: Person) =>
  alice.library.downloads.finish(
    'running',
    await claimOf(alice, 'running'),
    { download_path: 'a/b/c.mp4', file_size: 5 },
    async () => {},
    async () => {},
  )
const shows = (page: Page, words: string) =>
  hurry(page, page.locator('#download-running', { hasText: words }).waitFor())

const look = (page: Page, hidden: boolean) =>
  page.evaluate(is_hidden => {
    Object.defineProperty(document, 'hidden', { value: is_hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

it('a page polls once a second, gets 304 while nothing changes, and stops when nothing moves', async () => {
  const alice = await scene(site.sql)
  const { page, faults } = await opened(alice, '/downloads')
  const answers = polls(page)

  const unchanged = () => statuses(answers).filter(status => status === 304).length
  await hurry(page, () => expect(unchanged()).toBeGreaterThan(1))
  const claim = await claimOf(alice, 'running')
  await percent(alice, claim, 60)
  await shows(page, '60%')
  const sizes = await Promise.all(
    answers.filter(answer => answer.status() === 200).map(async answer => (await answer.body()).length),
  )
  console.log(`bytes of the polls that brought something: ${sizes.join(', ')}`)
  expect(sizes.at(-1)).toBeLessThan(2000)

  await alice.library.downloads.cancelAll(['running', 'waiting-1', 'waiting-2', 'retrying'])
  await hurry(page, page.locator('#polling:not([hx-get])').waitFor({ state: 'attached' }))
  expect(await page.locator('[hx-trigger^=every]').count()).toBe(0)
  expect(faults).toEqual([])
})

it('a request whose element has left the page disturbs no script', async () => {
  const { page, faults } = await site.openAt('/downloads', await scene(site.sql))
  // For an element that has left the page, htmx reports its request at the document.
  await page.evaluate(() => {
    const { htmx } = window as unknown as { htmx: { trigger(element: Element, event: string, detail: object): void } }
    const sourceElement = document.createElement('form')
    for (const event of ['htmx:before:request', 'htmx:finally:request'])
      htmx.trigger(sourceElement, event, { ctx: { sourceElement } })
  })
  expect(faults).toEqual([])
})

it('an ended download moves to its shelf without a reload; focus, ticks and selected text stay', async () => {
  const alice = await scene(site.sql)
  const { page, faults } = await opened(alice, '/downloads?select=1')
  const claim = await claimOf(alice, 'running')
  await page.getByRole('checkbox', { name: 'Select Members only' }).check()
  await page.getByRole('checkbox', { name: 'Select A very long title' }).check()
  await page.evaluate(() => {
    const title = document.querySelector('#title-done-2 a')
    if (title) getSelection()?.selectAllChildren(title)
  })
  await page.locator('#row-retrying').getByRole('button', { name: 'Retry now' }).focus()
  await page.evaluate(() => Object.assign(document.body, { untouched: true }))

  await percent(alice, claim, 71)
  await shows(page, '71%')
  await finish(alice)
  await hurry(page, page.locator('#shelf-done #row-running').waitFor())

  expect(await page.locator('#shelf-running').count()).toBe(0)
  expect(await page.getByRole('heading', { name: 'On disk 3' }).count()).toBe(1)
  expect(await page.title()).toBe('(3) Downloads · Backlot')
  expect(await page.getByRole('link', { name: 'Downloads 3 running or queued' }).count()).toBe(1)
  expect(await page.getByRole('checkbox', { name: 'Select Members only' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'Select A very long title' }).isChecked()).toBe(true)
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('Dumplings, again')
  const focused = await page.evaluate(() => document.activeElement?.closest('.row')?.id)
  expect(focused).toBe('row-retrying')
  expect(await page.evaluate(() => 'untouched' in document.body)).toBe(true)
  expect(faults).toEqual([])
})

it('an open menu and an open fold stay while a download moves to its shelf', async () => {
  const alice = await scene(site.sql)
  await follows(alice, 'more', ['x', 'y'])
  for (const id of ['x', 'y']) await fails(alice, id, 'Members only.')
  const { page } = await opened(alice, '/downloads')
  await page.locator('.alike > details > summary').click()
  await page.locator('#row-done-1').hover()
  await page.locator('#row-done-1 .more-acts > summary').click()
  await finish(alice)
  await hurry(page, page.locator('#shelf-done #row-running').waitFor())
  expect(await page.locator('#row-done-1 .more-acts').getAttribute('open')).not.toBeNull()
  expect(await page.locator('.alike > details').getAttribute('open')).not.toBeNull()
})

it.each([false, true])(
  'Download next moves the row to the front without a reload; while all is paused: %s',
  async is_paused => {
    const alice = await scene(site.sql)
    if (is_paused) await alice.library.downloads.pauseSite('')
    const { page, faults } = await opened(alice, '/downloads')
    await page.evaluate(() => Object.assign(document.body, { untouched: true }))
    await page.locator('#row-waiting-2').hover()
    await page.locator('#row-waiting-2 .more-acts > summary').click()
    await page.locator('#row-waiting-2').getByRole('button', { name: 'Download next' }).click()
    await hurry(page, page.locator('#shelf-waiting .row:first-child#row-waiting-2').waitFor())
    expect(await page.evaluate(() => 'untouched' in document.body)).toBe(true)
    expect(faults).toEqual([])
  },
)

it('one live region says what has finished or failed, once', async () => {
  const alice = await scene(site.sql)
  await follows(alice, 'more', ['second'])
  const claim = await runs(alice, 'second')
  const { page } = await opened(alice, '/downloads')
  const announced = page.locator('#announced')
  expect(await page.locator('.cell [role=status]').count()).toBe(0)

  await finish(alice)
  const says = (words: string) => hurry(page, async () => expect(await announced.textContent()).toBe(words))
  await says('Downloaded: Bread for people who have no time')
  await alice.library.downloads.fail('second', claim, { download_error: 'It broke.', next_attempt_at: null })
  await says('Download failed: Video second')
})

it('a focused button keeps the focus when its cell changes', async () => {
  const alice = await scene(site.sql)
  const { page } = await opened(alice, '/')
  const cancel = page.locator('#download-running .cancel button')
  await cancel.focus()
  const claim = await claimOf(alice, 'running')
  for (const part of [55, 65]) {
    await percent(alice, claim, part)
    await shows(page, `${part}%`)
    expect(await cancel.evaluate(button => button === document.activeElement)).toBe(true)
  }
})

it('a poll does not disturb a playing video', async () => {
  const alice = await scene(site.sql)
  await site.finishesFilm(alice, 'wanted')
  const { page } = await opened(alice, '/watch/wanted')
  await page.evaluate(async () => {
    const video = document.querySelector('video')
    if (!video) throw new Error('there is no player')
    Object.assign(window, { emptied: 0 })
    video.addEventListener('emptied', () => Object.assign(window, { emptied: 1 }))
    video.muted = true
    video.loop = true
    await video.play()
  })
  const claim = await claimOf(alice, 'running')
  for (const part of [51, 61, 71]) {
    await percent(alice, claim, part)
    await shows(page, `${part}%`)
  }
  const after = await page.evaluate(() => {
    const video = document.querySelector('video')
    return { at: video?.currentTime ?? 0, paused: video?.paused, emptied: (window as { emptied?: number }).emptied }
  })
  expect(after).toMatchObject({ paused: false, emptied: 0 })
  expect(after.at).toBeGreaterThan(0)
})

it('a hidden page polls every 15 seconds, and at once when it is shown again', async () => {
  const { page } = await site.open(await scene(site.sql))
  await page.addInitScript(() => {
    const counts = { sent: 0, open: 0 }
    const unanswered = new Set<unknown>()
    Object.assign(window, { counts })
    addEventListener('htmx:before:request', event => {
      if (event.defaultPrevented) return
      counts.sent += 1
      counts.open = unanswered.add((event as CustomEvent).detail.ctx).size
    })
    addEventListener('htmx:finally:request', event => {
      unanswered.delete((event as CustomEvent).detail.ctx)
      counts.open = unanswered.size
    })
  })
  const counts = () => page.evaluate(() => (window as unknown as { counts: { sent: number; open: number } }).counts)
  /** How many polls were sent, once all are answered. */
  const sent = async () => {
    await expect.poll(async () => (await counts()).open).toBe(0)
    return (await counts()).sent
  }
  // Before the page is opened: a jump in time while a poll is under way would end that poll by its time limit.
  await stopTime(page)
  await page.goto('/downloads')
  await page.clock.runFor(1_000)
  expect(await sent()).toBe(1)
  await page.clock.runFor(1_000)
  expect(await sent()).toBe(2)

  await look(page, true)
  await page.clock.runFor(1_000)
  const hidden = await sent()
  await page.clock.runFor(14_000)
  expect(await sent()).toBe(hidden)
  await page.clock.runFor(1_000)
  expect(await sent()).toBe(hidden + 1)
  await look(page, false)
  await page.clock.runFor(1_000)
  expect(await sent()).toBe(hidden + 2)
})

/** Makes every request of the page fail with `answer` until `back` is called. */
async function away(page: Page, answer: (route: Route) => Promise<void> = route => route.abort()) {
  const asked: string[] = []
  const fail = (route: Route) => {
    asked.push(new URL(route.request().url()).pathname)
    return answer(route)
  }
  await page.route('**/*', fail)
  return { asked, back: () => page.unroute('**/*', fail) }
}
const by_a_proxy = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: '<h1>The proxy says no</h1>' })

describe('while the server is away', () => {
  it.each([
    ['does not listen', undefined],
    ['is behind a proxy that answers 502', by_a_proxy(502)],
    ['is behind a proxy that answers 503', by_a_proxy(503)],
  ])('a page says that it reconnects, and continues without a reload, when the server %s', async (_, answer) => {
    const alice = await scene(site.sql)
    const { page } = await opened(alice, '/downloads')
    await page.evaluate(() => Object.assign(document.body, { untouched: true }))
    const { back } = await away(page, answer)
    const message = page.getByText('Reconnecting…')
    await hurry(page, message.waitFor())
    expect(await page.getByText('The proxy says no').count()).toBe(0)

    await percent(alice, await claimOf(alice, 'running'), 88)
    await back()
    await shows(page, '88%')

    await message.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => 'untouched' in document.body)).toBe(true)
  })

  it('while the server is away, a page only asks whether it is back', async () => {
    const alice = await scene(site.sql)
    const { page } = await opened(alice, '/downloads')
    const { asked } = await away(page)
    const checks = () => asked.filter(path => path === '/readyz').length
    await hurry(page, () => expect(checks()).toBeGreaterThan(3))
    const others = asked.filter(path => !/^\/(readyz|static\/)/.test(path))
    expect(others.filter(path => path !== '/pictures')).toEqual(['/api/download/status'])
    // The request for the pictures of a new page may fall into this time, but is not repeated.
    expect(others.filter(path => path === '/pictures').length).toBeLessThanOrEqual(1)
  })

  it('a message that the server is away disappears when it is back, on a page that does not poll', async () => {
    const alice = await person(site.sql, 'alice')
    await follows(alice, 'quiet', ['still'])
    const { page } = await opened(alice, '/channels/quiet')
    const { back } = await away(page, by_a_proxy(503))
    await page.locator('#download-still .get button').click()
    const message = page.getByText('The server did not answer.')
    await message.waitFor()
    expect(await page.getByText('The proxy says no').count()).toBe(0)

    await back()

    await hurry(page, message.waitFor({ state: 'detached' }))
    await page.locator('#download-still .get button').click()
    await page.locator('#download-still', { hasText: 'Cancel' }).waitFor()
  })

  it('while the server is away, a page that is shown again asks at once', async () => {
    const alice = await scene(site.sql)
    const { page } = await opened(alice, '/downloads')
    const { asked, back } = await away(page)
    await hurry(page, page.getByText('Reconnecting…').waitFor())
    await look(page, true)
    // The next check falls into the time when the page is hidden, and ends there.
    await page.clock.runFor(2000)
    await back()
    await percent(alice, await claimOf(alice, 'running'), 77)
    expect(asked.length).toBeGreaterThan(1)
    await look(page, false)
    await page.locator('#download-running', { hasText: '77%' }).waitFor()
  })

  it('the page of an import says that it reconnects', async () => {
    const alice = await scene(site.sql)
    const lines = [{ address: 'https://videos.example/a', title: 'Slow kitchen' }]
    const import_id = await beginList(alice, lines)
    const { page } = await opened(alice, `/import/${import_id}`)
    const { back } = await away(page)
    await hurry(page, page.getByText('Reconnecting…').waitFor())
    await alice.library.imports.settle(import_id, [
      { position: 0, outcome: 'failed', message: 'The site answered 404.' },
    ])
    await back()
    await hurry(page, page.getByText('The site answered 404.').waitFor())
    await expect.poll(() => page.getByText('Reconnecting…').count()).toBe(0)
  })
})

it('when the session has ended, the page says so, offers to sign in, and stops polling', async () => {
  const alice = await scene(site.sql)
  const { page } = await opened(alice, '/downloads')
  const answers = polls(page)
  await site.sql`delete from sessions where user_id = ${alice.user.user_id}`

  await hurry(page, page.getByText('You were signed out.').waitFor())

  expect(new URL(page.url()).pathname).toBe('/downloads')
  expect(statuses(answers).filter(status => status === 401)).toHaveLength(1)
  await page.getByRole('link', { name: 'Sign in again' }).click()
  await page.waitForURL(/\/login\?next=%2Fdownloads/)
  expect(statuses(answers).filter(status => status === 401)).toHaveLength(1)
})

it('the page does not jump when a list cannot be loaded again on the way back', async () => {
  const alice = await scene(site.sql)
  const ids = Array.from({ length: 100 }, (_, index) => `old-${index}`)
  await follows(alice, 'long', ids)
  for (const id of ids.filter((_, index) => index % 20 === 0)) await runs(alice, id)
  const { page } = await opened(alice, '/channels/long')
  await vi.waitFor(async () => {
    await page.locator('#older').scrollIntoViewIfNeeded()
    expect(await page.locator('#videos > *').count()).toBeGreaterThan(40)
  })
  await page.goto('/downloads')
  const asked: string[] = []
  await page.route('**/channels/long?*cursor=*', route => {
    asked.push(route.request().url())
    return route.fulfill({ status: 502, body: '' })
  })
  await page.goBack()
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0))
  // Chromium restores the position of a page in the frames after it is loaded.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.evaluate(() => scrollTo(0, 0))
  const answers = polls(page)
  await hurry(page, () => expect(answers.length).toBeGreaterThan(3))
  const position = await page.evaluate(() => scrollY)
  expect({ position, asked }).toEqual({ position: 0, asked: asked.slice(0, 2) })
})

it('the progress of one of many running downloads costs a few hundred bytes', async () => {
  const alice = await scene(site.sql)
  const ids = Array.from({ length: 50 }, (_, index) => `many-${index}`)
  await follows(alice, 'many', ids)
  for (const id of ids) await runs(alice, id)
  const { page } = await opened(alice, '/channels/many')
  const answers = polls(page)
  await hurry(page, () => expect(statuses(answers)).toContain(304))
  const first = (await answers[0]?.body())?.length
  const cell = page.locator('.cell').first()
  const video_id = (await cell.getAttribute('id'))?.replace('download-', '') ?? ''
  await alice.library.downloads.beat(video_id, await claimOf(alice, video_id), { ...half, percent: 90 })
  await hurry(page, cell.filter({ hasText: '90%' }).waitFor())
  const last = answers.findLast(answer => answer.status() === 200)
  const bytes = (await last?.body())?.length ?? 0
  console.log(`many running: first poll ${first} bytes, one changed ${bytes} bytes, none changed 0`)
  expect(bytes).toBeLessThan(2500)
})
