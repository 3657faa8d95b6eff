/** Miniflux, where the variable MINIFLUX names its binary: as a service with one person, and its command that refreshes feeds. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import type { Sql } from '../../../src/db/postgres/client.ts'
import type { Bench } from '../run/bench.ts'
import { endAfterRow, endChild } from '../run/children.ts'
import type { Databases } from '../run/database.ts'
import type { Figure } from '../run/figures.ts'
import { type Measures, measuresOn } from '../run/measures.ts'
import { type Library, makeTexts } from '../run/seed.ts'
import { cpuOfEndedChildren, type Usage, usageOf } from '../run/usage.ts'
import { freePort } from './nginx.ts'

const binary = process.env.MINIFLUX
const [name, password] = ['bench', 'bench-bench']
/** Videos on a page of ours. */
const entries_per_page = 24
const longest_start_ms = 30_000

export const minifluxIsHere = Boolean(binary)

export type Miniflux = {
  pid: number
  url: string
  usage(): Promise<Usage>
  /** For its pages. */
  headers: Record<string, string>
  /** Calls its API. Rejects unless it accepts the request. */
  api(method: string, path: string, body?: string): Promise<Response>
  stop(): Promise<void>
}

const variables = (database_url: string) => ({
  DATABASE_URL: `${database_url}?sslmode=disable`,
  FETCHER_ALLOW_PRIVATE_NETWORKS: '1',
  LOG_LEVEL: 'error',
})

/** With the shared Postgres. `undefined`: there is none, which the run says. */
export async function openMiniflux(
  { databases }: Bench,
  library?: Library,
): Promise<(Miniflux & Measures & { sql: Sql }) | undefined> {
  if (!binary) return undefined
  const { url, sql } = await databases.createEmpty()
  const running = await startMiniflux(url)
  if (library) await fillMiniflux(sql, library)
  return { ...measuresOn(databases), ...running, sql }
}

/** Resolves once it answers. */
export async function startMiniflux(database_url: string): Promise<Miniflux> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const administrator = { CREATE_ADMIN: '1', ADMIN_USERNAME: name, ADMIN_PASSWORD: password }
  const env = { ...variables(database_url), ...administrator, RUN_MIGRATIONS: '1', LISTEN_ADDR: `127.0.0.1:${port}` }
  const child = endAfterRow(spawn(binary ?? '', [], { env, stdio: ['ignore', 'ignore', 'inherit'] }))
  for (const began = performance.now(); !(await isReady(url)); await setTimeout(5))
    if (child.exitCode !== null || performance.now() - began > longest_start_ms)
      throw new Error('Miniflux did not start')
  const pid = child.pid ?? 0
  const authorization = `Basic ${btoa(`${name}:${password}`)}`
  return {
    pid,
    url,
    usage: () => usageOf(pid),
    headers: { cookie: await signedIn(url) },
    async api(method, path, body = '') {
      const answer = await fetch(url + path, { method, headers: { authorization }, ...(body && { body }) })
      if (!answer.ok) throw new Error(`Miniflux answered ${answer.status} to ${path}: ${await answer.text()}`)
      return answer
    },
    stop: () => endChild(child),
  }
}

const isReady = (url: string) =>
  fetch(`${url}/readiness`).then(
    ({ ok }) => ok,
    () => false,
  )

const cookieOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')

async function signedIn(url: string): Promise<string> {
  const page = await fetch(url)
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
  const body = new URLSearchParams({ csrf, username: name, password })
  const headers = { cookie: cookieOf(page) }
  return cookieOf(await fetch(`${url}/login`, { method: 'POST', redirect: 'manual', headers, body }))
}

/** The same amounts as `fillLibraries` makes, with the same words. */
export async function fillMiniflux(sql: Sql, { channels, entries_each }: Library): Promise<void> {
  const texts = await makeTexts(sql, channels * entries_each)
  await sql`update users set entries_per_page = ${entries_per_page}`
  await sql`
    insert into feeds (user_id, category_id, title, feed_url, site_url, next_check_at)
    select user_id, min(id), 'Channel ' || c, 'https://videos.example/c' || c || '.xml', 'https://videos.example/', now() + interval '1 day'
    from   categories, generate_series(1, ${channels}::int) as c
    group  by user_id, c`
  await sql`
    insert into entries (user_id, feed_id, hash, published_at, title, url, author, content, changed_at, document_vectors)
    select feeds.user_id, feeds.id, 'h' || feeds.id || 'v' || v, now() - v * interval '1 hour', texts.title,
           'https://videos.example/' || feeds.id || 'v' || v, '', texts.description, now(),
           setweight(to_tsvector(texts.title), 'A') || setweight(to_tsvector(texts.description), 'B')
    from   feeds
    cross join generate_series(1, ${entries_each}::int) as v
    join   texts on n = 1 + (feeds.id * 7919 + v * 104729) % ${texts}::int`
  await sql`vacuum analyze feeds, entries`
}

/** A pass of its command `-refresh-feeds` over these feeds, in feeds a second. `undefined`: there is no Miniflux. */
export async function minifluxOf(databases: Databases, urls: string[]): Promise<(() => Promise<Figure>) | undefined> {
  if (!binary) return undefined
  const { url, sql } = await databases.createEmpty()
  const env = { ...variables(url), BATCH_SIZE: String(urls.length), POLLING_FREQUENCY: '1' }
  await execa(binary, ['-migrate'], { env })
  await sql`
    with owner as (insert into users (username, password) values ('bench', '') returning id),
    shelf as (insert into categories (user_id, title) select id, 'All' from owner returning id, user_id)
    insert into feeds (user_id, category_id, title, feed_url, site_url)
    select user_id, id, url, url, url
    from   shelf, unnest(${urls}::text[]) as url`
  return async () => {
    await sql`update feeds set next_check_at = now() - interval '1 minute'`
    const before = { at: performance.now(), app_s: await cpuOfEndedChildren(), database_s: await databases.cpu_s() }
    await execa(binary, ['-refresh-feeds'], { env, timeout: 120_000 })
    const seconds = (performance.now() - before.at) / 1000
    const [left] = await sql`
      select count(*) filter (where next_check_at <= now())::int as due, max(parsing_error_msg) as error from feeds`
    if (left && (left.due > 0 || left.error)) throw new Error(`Miniflux left out ${left.due} feeds: ${left.error}`)
    return {
      value: urls.length / seconds,
      app_ms: (((await cpuOfEndedChildren()) - before.app_s) * 1000) / urls.length,
      database_ms: (((await databases.cpu_s()) - before.database_s) * 1000) / urls.length,
    }
  }
}
