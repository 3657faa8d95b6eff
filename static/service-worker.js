// Shows messages of Backlot, and a page of its own when Backlot cannot be reached. It stores nothing, and it answers for nothing else.

const worker = /** @type {Worker} */ (/** @type {unknown} */ (self))

/** The address of this site, with a slash at the end. */
const base = new URL('./', location.href).href

// A new version takes over at once, also from pages that are open.
worker.addEventListener('install', () => worker.skipWaiting())
// The browser sends the request while the worker starts, so that no page is slower.
worker.addEventListener('activate', event => event.waitUntil(worker.registration.navigationPreload?.enable()))

worker.addEventListener('fetch', event => {
  const { request } = event
  if (request.mode !== 'navigate' || isFile(new URL(request.url))) return
  if (request.method === 'GET') event.respondWith(pageOf(event).catch(() => unreachable(request.url)))
  // Without a network, a server on this machine still answers. Otherwise the browser sends forms.
  else if (!navigator.onLine) event.respondWith(fetch(request).catch(() => unreachable(request.referrer || base, true)))
})

/** The browser saves files and plays videos itself. @param {URL} url */
const isFile = ({ href }) => !href.startsWith(base) || /^(stream|download|export|s|f)\b/.test(href.slice(base.length))

/** @param {FetchEvent} event @returns {Promise<Response>} */
const pageOf = async ({ preloadResponse, request }) => (await preloadResponse) ?? fetch(request)

/**
 * `next`: the address to try again. `is_form`: that of a form, which could not be sent.
 * @param {string} next @param {boolean} [is_form]
 */
function unreachable(next, is_form = false) {
  const nonce = crypto.randomUUID()
  return new Response(page(new URL(next), nonce, is_form), {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`,
    },
  })
}

// A message that is sent again replaces the one with its id.
worker.addEventListener('push', event => event.waitUntil(show(event.data)))

/** Browsers want a message to be shown for each push. @param {{ json(): Message } | null} data */
async function show(data) {
  const { id, title, text, url } = read(data) ?? { title: 'Backlot', text: 'Something is new.' }
  const icon = `${base}static/icon-192.png`
  await worker.registration.showNotification(title, { body: text, icon, ...(id && { tag: id }), data: url })
}

/** @param {{ json(): Message } | null} data @returns {Message | undefined} */
function read(data) {
  try {
    return data?.json()
  } catch {
    return undefined
  }
}

worker.addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(open(ownAddress(event.notification.data)))
})

/** Nothing outside of this site is opened. @param {unknown} url */
function ownAddress(url) {
  const address = typeof url === 'string' ? URL.parse(url, base)?.href : undefined
  return address?.startsWith(base) ? address : base
}

/** In the window that shows the page already, or else in a new one. @param {string} address */
async function open(address) {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find(({ url }) => url === address)
  await (shown ? shown.focus() : worker.clients.openWindow(address))
}

/** @param {URL} next @param {string} nonce @param {boolean} is_form */
function page({ href }, nonce, is_form) {
  const [title, words] = navigator.onLine
    ? [
        'Backlot cannot be reached',
        'The server may be off, or not reachable from this network. The page opens when the server answers.',
      ]
    : [
        'You are offline',
        is_form
          ? 'Nothing was sent. The form opens when you are connected again.'
          : 'The page opens when you are connected again.',
      ]
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title} · Backlot</title>
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="#faf9f7" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="#131210" media="(prefers-color-scheme: dark)">
    <style nonce="${nonce}">${styles}</style>
  </head>
  <body>
    <main>
      <svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="#c2410c"/>
        <path d="M9 7.2v9.6a.6.6 0 0 0 .92.5l7.4-4.8a.6.6 0 0 0 0-1L9.92 6.7A.6.6 0 0 0 9 7.2z" fill="#fff"/></svg>
      <h1>${title}</h1>
      <p>${words}</p>
      <a href="${href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">Try again</a>
    </main>
    <script nonce="${nonce}">(${askAgain})(${JSON.stringify(base)}, ${is_form})</script>
  </body>
</html>`
}

/**
 * Runs in the page. Asks with growing waits whether the server answers, and then opens what was asked for. Going back to a form keeps what
 * was typed.
 * @param {string} base @param {boolean} is_form
 */
function askAgain(base, is_form) {
  const longest_wait_ms = 60_000
  let [wait_ms, timer] = [1000, 0]

  async function ask() {
    clearTimeout(timer)
    const answer = await fetch(`${base}healthz`, { cache: 'no-store', signal: AbortSignal.timeout(10_000) }).catch(
      () => null,
    )
    if (answer?.ok && is_form) return history.back()
    if (answer?.ok) return location.replace(document.querySelector('a')?.href ?? base)
    timer = setTimeout(ask, wait_ms)
    wait_ms = Math.min(2 * wait_ms, longest_wait_ms)
  }

  timer = setTimeout(ask, wait_ms)
  addEventListener('online', ask)
  // A phone stops the timers of an app in the background.
  document.addEventListener('visibilitychange', () => document.hidden || ask())
}

/** Like the pages of \`static/css\`, which cannot be loaded now. */
const styles = `
  :root { color-scheme: light dark }
  body {
    display: grid; place-content: center; box-sizing: border-box; min-height: 100dvh; margin: 0; padding: 24px;
    background: light-dark(#faf9f7, #131210); color: light-dark(#1c1a17, #f3f0ea);
    font: 15px / 1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  }
  main { max-width: 360px; text-align: center }
  svg { width: 56px }
  h1 { margin: 16px 0 4px; font-size: 22px; line-height: 1.2; letter-spacing: -0.02em }
  p { margin: 0 0 20px; color: light-dark(#67625a, #a8a196) }
  a {
    display: inline-grid; align-content: center; min-height: 44px; padding: 0 20px; border-radius: 8px;
    background: light-dark(#c2410c, #fb923c); color: light-dark(#fff, #1c1208); font-weight: 600; text-decoration: none;
  }
  a:focus-visible { outline: 2px solid light-dark(#1c1a17, #f3f0ea); outline-offset: 2px }`

/**
 * What the types of pages do not say of a worker.
 * @typedef {Event & { waitUntil(work: Promise<unknown> | undefined): void }} LifeEvent
 * @typedef {Event & { request: Request, preloadResponse: Promise<Response | undefined>,
 *   respondWith(answer: Response | Promise<Response>): void }} FetchEvent
 * @typedef {{ id?: string, title: string, text: string, url?: string | null }} Message
 * @typedef {LifeEvent & { data: { json(): Message } | null }} PushEvent
 * @typedef {LifeEvent & { notification: Notification }} ClickEvent
 * @typedef {{ url: string, focus(): Promise<unknown> }} Window
 * @typedef {object} Events
 * @property {LifeEvent} install
 * @property {LifeEvent} activate
 * @property {FetchEvent} fetch
 * @property {PushEvent} push
 * @property {ClickEvent} notificationclick
 * @typedef {object} Worker
 * @property {ServiceWorkerRegistration} registration
 * @property {{ matchAll(options: object): Promise<Window[]>, openWindow(url: string): Promise<unknown> }} clients
 * @property {() => Promise<void>} skipWaiting
 * @property {<Name extends keyof Events>(type: Name, listener: (event: Events[Name]) => unknown) => void} addEventListener
 */
