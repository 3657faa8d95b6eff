/** In a browser: how much a page asks of its reader: what can be pressed in its first screen, and Tab stops before the first video. */
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { administration, longest_name } from '../support/app/administration.ts'
import { fullLibrary } from '../support/app/full-library.ts'
import type { Person } from '../support/app/people.ts'
import { desktop, phone, useSite } from '../support/browser/site.ts'
import { getFilm } from '../support/media/films.ts'

const site = useSite()
/** Its own database: what pauses a service is shown to everyone. */
const administered = useSite()

/**
 * The most that may be pressed in the first screen of each page, on a desktop and on a phone. A phone has room for six to eight rows, of
 * which each has a link and a menu, so a page that is a list of rows has more: the next test says what a row may have.
 */
const pages = {
  '/': [24, 16],
  '/channels/bench': [28, 16],
  '/watch/kitchen-4': [22, 16],
  '/downloads': [24, 16],
  '/?later=true': [24, 16],
  '/search?q=bread': [24, 16],
  '/search?q=tape': [24, 22],
  '/history': [24, 22],
  '/playlists': [24, 16],
  '/settings': [20, 16],
} satisfies Most

const pages_of_administration = {
  '/admin': [28, 22],
  [`/admin/people/${longest_name}`]: [18, 16],
} satisfies Most

type Most = Record<string, [desktop: number, phone: number]>

it('shows few controls in the first screen of a page', async () => {
  const carol = await fullLibrary(site.sql, site.folder)
  // A player whose file cannot be played shows what helps.
  await copyFile(await getFilm('/minute.mp4'), join(site.folder, carol.user.user_id, 'kitchen', 'kitchen-4.mp4'))
  expect(await tooMany(site, carol, pages)).toEqual([])
})

it('shows few controls in the first screen of the administration, and on a phone six people or more', async () => {
  const admin = await administration(administered.sql)
  expect(await tooMany(administered, admin, pages_of_administration)).toEqual([])
  const { page } = await administered.openAt('/admin', admin, screens[1])
  const rows_in_view = await page.evaluate(rowsInView, '#people .row')
  expect(rows_in_view).toBeGreaterThanOrEqual(6)
  // A link each, of which one or two are behind the bar.
  expect((await page.evaluate(controlsInView, '.row')).length).toBeLessThanOrEqual(rows_in_view + 2)
})

it('shows on a phone six rows of a list or more, each with a link and a menu and nothing else', async () => {
  const carol = await fullLibrary(site.sql, site.folder)
  const { playlist_id } = await carol.library.playlists.create('Weekend')
  const video_ids = Array.from({ length: 9 }, (_, nth) => `moss-${nth}`)
  await carol.library.playlists.addVideos(playlist_id, video_ids)
  const { page } = await site.open(carol, screens[1])
  for (const path of ['/history', `/playlists/${playlist_id}`, '/search?q=tape', '/channels/bench?view=list']) {
    await page.goto(path)
    const rows_in_view = await page.evaluate(rowsInView, '#videos .row')
    expect(rows_in_view, path).toBeGreaterThanOrEqual(6)
    const in_rows = (await page.evaluate(controlsInView, '.row')).length
    expect(in_rows, path).toBeLessThanOrEqual(2 * (rows_in_view + 2))
    expect((await page.evaluate(controlsInView, '*')).length - in_rows, path).toBeLessThanOrEqual(10)
  }
})

it('leads to the first video in few presses of Tab, and in fewer by the link that skips the bar', async () => {
  const { page } = await site.openAt('/', await fullLibrary(site.sql, site.folder), screens[0])
  expect(await tabStops(page, '#videos .video a')).toBeLessThanOrEqual(13)
  await page.goto('/')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(2 + (await tabStops(page, '#videos .video a'))).toBeLessThanOrEqual(8)
})

const screens = [desktop, phone]

/** The pages with more controls in view than that, each with its controls. */
async function tooMany({ open }: typeof site, person: Person, most: Most): Promise<string[]> {
  const told: string[] = []
  for (const [at, screen] of screens.entries()) {
    const { page } = await open(person, screen)
    for (const [path, numbers] of Object.entries(most)) {
      await page.goto(path)
      const found = await page.evaluate(controlsInView, '*')
      if (found.length > (numbers[at] ?? 0)) told.push(`${path}: ${found.length}`, ...found)
    }
  }
  return told
}

/**
 * Runs in the page: everything in view that can be pressed or typed into, unless it shows only under the pointer, or for five seconds.
 * `within`: the elements to look in.
 */
function controlsInView(within: string): string[] {
  const all = document.querySelectorAll<HTMLElement>(
    'a[href], button, summary, input:not([type=hidden]), select, textarea, [role=button], [role=slider], [tabindex="0"]',
  )
  const nav = document.querySelector('.main-nav')
  const isInView = (element: HTMLElement) => {
    const { top, left, bottom, right } = element.getBoundingClientRect()
    // A phone has the bar at the bottom.
    const [bar_top, isOnBar] = [nav?.getBoundingClientRect().top ?? 0, nav?.contains(element)]
    const end = bar_top > innerHeight / 2 && !isOnBar ? bar_top : innerHeight
    const is_on_screen = bottom > 0 && right > 0 && top < end && left < innerWidth && right > left
    return is_on_screen && element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
  }
  return [...all]
    .filter(element => isInView(element) && !element.closest('.notes') && element.closest(within))
    .map(({ outerHTML }) => outerHTML.slice(0, 100))
}

/** Runs in the page: how many of these rows have at least a half above the bar at the bottom of a phone. */
function rowsInView(rows: string): number {
  const { top } = (document.querySelector('.main-nav') ?? document.body).getBoundingClientRect()
  const middles = [...document.querySelectorAll(rows)].map(row => {
    const { y, height } = row.getBoundingClientRect()
    return y + height / 2
  })
  return middles.filter(middle => middle < top).length
}

/** How often Tab is pressed before the focus is on one of these. */
async function tabStops(page: Page, selector: string): Promise<number> {
  for (let stops = 1; stops < 100; stops++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return stops
  }
  return 100
}
