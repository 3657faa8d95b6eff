/** Checks in a browser that hostile text from feeds stays text on every page: it runs nothing and loads nothing. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { parseFeed } from '../../src/feed/formats/parse.ts'
import { nameIn } from '../../src/feed/pages/given-address.ts'
import { unlimited, useApp } from '../support/app/app.ts'
import { type Person, person } from '../support/app/people.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { documentOf } from '../support/media/feeds.ts'
import { addresses, markup } from './payloads.ts'

/** The document that each address serves. */
const feeds = new Map<string, string>()
const app = useApp({
  limits: unlimited,
  findFeed: async url => ({ rss_url: url, feed: parseFeed(documentOf(feeds.get(url) ?? '', { url })) }),
})

const browser = useBrowser()

const coded = (text: string) =>
  [...text].map(letter => (/[a-z]/i.test(letter) ? letter : `&#${letter.codePointAt(0)};`)).join('')
const ways: [name: string, write: (text: string) => string][] = [
  ['as it is', text => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`],
  ['in entities', coded],
  ['in entities twice', text => coded(coded(text))],
]

/** One entry for each payload, with the payload in every part; thumbnails and links cycle through addresses that are not on the web. */
function feedOf(texts: string[], write: (text: string) => string): string {
  const items = texts.map((text, n) => {
    const bad = coded(addresses[n % addresses.length] ?? '')
    return `<item><title>${write(text)}</title><description>${write(text)}</description><author>${write(text)}</author>
      <guid isPermaLink="false">${write(text)}</guid><link>https://videos.example/${n}</link><link>${bad}</link>
      <media:thumbnail url="${bad}"/><enclosure url="${bad}" type="video/mp4"/></item>`
  })
  return `<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><title>${write(texts[1] ?? '')}</title>${items.join('')}</channel></rss>`
}

/** Every page that shows text of the feed. */
async function pagesOf(
  reader: Person,
  texts: string[],
  write: (text: string) => string,
): Promise<Record<string, string>> {
  const url = 'https://videos.example/feed.xml'
  feeds.set(url, feedOf(texts, write))
  expect((await app.ask('/api/channels', { as: reader, json: { url } })).status).toBe(201)
  const { entries } = await reader.library.videos.list({ limit: 200 })
  expect(entries).toHaveLength(texts.length)
  await reader.library.downloads.request(entries.slice(0, 3).map(({ video_id }) => video_id))
  for (const { video_id, title } of entries.slice(0, 3)) {
    const claim = crypto.randomUUID()
    await reader.library.downloads.start(video_id, claim)
    await reader.library.downloads.fail(video_id, claim, { download_error: title, next_attempt_at: null })
  }
  const [channel] = await reader.library.channels.list()
  const said = texts[2] ?? ''
  const paths = {
    home: '/?limit=200',
    search: `/?${new URLSearchParams({ q: said.slice(0, 200) })}`,
    channels: '/channels',
    channel: `/channels/${channel?.channel_id}?limit=200`,
    downloads: '/downloads',
    'an address': `/channels/new?${new URLSearchParams({ url: `https://nowhere.invalid/${said}` })}`,
    'a name': `/channels/new?${new URLSearchParams({ url: texts.find(text => nameIn(text) !== undefined) ?? '' })}`,
    nowhere: `/watch/${encodeURIComponent(said.replaceAll('\0', ''))}`,
    ...Object.fromEntries(entries.map(({ video_id }, n) => [`video ${n}`, `/watch/${video_id}`])),
  }
  const login = await app.ask(`/login?${new URLSearchParams({ next: said })}`)
  const shown: Record<string, string> = { login: await login.text() }
  for (const [name, path] of Object.entries(paths)) shown[name] = await app.textAt(path, { as: reader })
  return shown
}

/** Lists the elements and everything that could run. The browser parses the markup without running it. */
const lookAt = (page: Page, html: string) =>
  page.evaluate(text => {
    const all = [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('*')]
    const alive = all.flatMap(({ tagName, attributes }) =>
      [...attributes].flatMap(({ name, value }) =>
        /^on|^style$|^srcdoc$|^hx-on/i.test(name) ||
        (/^(src|href|action|formaction|poster|data|xlink:href)$/i.test(name) && !/^(https?:|\/(?!\/)|#)/.test(value)) ||
        (/^(data-)?hx-/.test(name) && /javascript:|js:/.test(value))
          ? [`${tagName} ${name}=${value}`]
          : [],
      ),
    )
    const scripts = all.filter(({ tagName }) => /^(script|iframe|object|embed|base|style|svg:script)$/i.test(tagName))
    return {
      alive,
      scripts: scripts.map(element => element.getAttribute('src') ?? element.outerHTML),
      // A picture in a description becomes the video's picture, so the number of pictures may differ.
      elements: all.flatMap(({ tagName }) => (tagName === 'IMG' ? [] : [tagName])).join(' '),
    }
  }, html)

type Seen = Awaited<ReturnType<typeof lookAt>>

/** What the browser sees of every page, by the name of the page. */
async function look(page: Page, shown: Record<string, string>): Promise<Record<string, Seen>> {
  const seen: Record<string, Seen> = {}
  for (const [name, html] of Object.entries(shown)) seen[name] = await lookAt(page, html)
  return seen
}

let looked_at: Promise<Record<string, Seen>> | undefined
/** The same pages with harmless words. They are compared with every way of writing. */
const control = (page: Page) => {
  const harmless = markup.map((_, n) => `Plain words ${n}`)
  const show = async () => look(page, await pagesOf(await person(app.sql, 'bob'), harmless, text => text))
  looked_at ??= show()
  return looked_at
}

it.each(ways)('hostile markup in a feed adds no element to any page and runs nothing, written %s', async (_, write) => {
  const page = await browser.newPage()
  const shown = await look(page, await pagesOf(await person(app.sql, 'alice'), markup, write))
  const plain = await control(page)

  expect(Object.keys(shown)).toEqual(Object.keys(plain))
  for (const [name, seen] of Object.entries(shown)) {
    expect([name, seen.alive]).toEqual([name, []])
    expect([name, seen.scripts]).toEqual([name, plain[name]?.scripts])
    // The search finds other videos, and an empty description has no element, so these two differ anyway.
    if (name !== 'search' && !name.startsWith('video '))
      expect([name, seen.elements]).toEqual([name, plain[name]?.elements])
  }
  await page.close()
})

it('no hostile text opens a dialog or violates the policy of a page in a real browser', async () => {
  const alice = await person(app.sql, 'alice')
  await pagesOf(alice, markup, ways[0]?.[1] ?? String)
  const [channel] = await alice.library.channels.list()
  const { entries } = await alice.library.videos.list({ limit: 5 })

  const page = await browser.newPage()
  const faults: string[] = []
  page.on('dialog', dialog => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', message => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text())
  })
  page.on('pageerror', fault => faults.push(String(fault)))
  await page.route('**', async route => {
    const { pathname, search, host } = new URL(route.request().url())
    if (host !== 'backlot.test') return route.abort()
    const answer = await app.ask(pathname + search, { as: alice })
    return route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    })
  })
  const paths = [
    '/',
    '/channels',
    `/channels/${channel?.channel_id}`,
    '/downloads',
    ...entries.map(({ video_id }) => `/watch/${video_id}`),
  ]
  for (const path of paths) {
    await page.goto(`http://backlot.test${path}`)
    await page.mouse.move(200, 300)
    await page.keyboard.press('Tab')
    expect(await page.title()).toContain('Backlot')
  }
  expect(faults).toEqual([])
  await page.close()
})
