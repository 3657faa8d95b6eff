/** Reads what other users of the machine can read: command lines, logs, errors at the start. None contains a secret. */
import { platform } from 'node:os'
import { expect, it } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { client, followAndRequest, publishFeed, settled } from '../support/process/journey.ts'
import { run, runRole } from '../support/process/processes.ts'
import { processesWith } from '../support/process/running.ts'
import { useService } from '../support/process/service.ts'

const db = useDatabase()
const secrets = {
  database: decodeURIComponent(new URL(db.url).password),
  password: 'pwsecret-91bc',
  guess: 'guesssecret-22',
  feed: 'feedsecret-58ce',
}
const service = useService(db, { env: () => ({ LOG_LEVEL: 'trace' }) })

/** The command lines of these processes and their children, which every user of the machine can read. */
async function commandLines(roots: number[]): Promise<string[]> {
  const family = new Set(roots)
  const lines: string[] = []
  for (const { pid, parent, args } of await processesWith()) {
    if (!family.has(pid) && !family.has(parent)) continue
    family.add(pid)
    lines.push(args)
  }
  return lines
}

const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })

it.skipIf(platform() !== 'linux')(
  'no secret appears in the process list, the log or a page, from account to file',
  async () => {
    expect(secrets.database.length).toBeGreaterThan(8)
    const { web, media } = service
    const worker = await service.worker()
    const ask = client(web.url)
    const answers: string[] = []
    const keep = async (answer: Response) => answers.push(await answer.text())
    const account = { username: 'alice', password: secrets.password }
    await keep(await ask('/register', form({ ...account, password_confirmation: secrets.password })))
    await keep(await ask('/login', form({ username: 'alice', password: secrets.guess })))
    const signed_in = await ask('/login', form(account))
    const [token = ''] = signed_in.headers.getSetCookie().flatMap(cookie => /session=([^;]+)/.exec(cookie)?.[1] ?? [])
    expect(token.length).toBeGreaterThan(20)

    const feed = publishFeed(media, { Slow: '/plain.mp4?drip=100000' })
    const [video_id = ''] = await followAndRequest(ask, feed)
    const lines = new Set<string>()
    const done = settled(ask, video_id)
    let over = false
    void done.finally(() => {
      over = true
    })
    while (!over) {
      for (const line of await commandLines([web.pid, worker.pid])) lines.add(line)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    expect(await done).toMatchObject({ download_status: 'completed' })
    expect([...lines].some(line => /--ignore-config|warm-server\.py/.test(line))).toBe(true)

    await keep(await ask('/channels', form({ url: feed.replace('://', `://name:${secrets.feed}@`) })))
    await keep(await ask('/import', form({ text: 'postgres://guest@127.0.0.1/' })))
    for (const path of ['/api/openapi.json', '/health', '/api/health', '/nowhere', '/api/channels', '/'])
      await keep(await ask(path))

    const said = [...lines, web.said(), worker.said()].join('\n')
    for (const secret of [secrets.database, secrets.password, secrets.guess, secrets.feed, token])
      expect(said).not.toContain(secret)
    // The field shows its owner what they typed, so the feed's password may appear there.
    for (const secret of [secrets.database, secrets.password, secrets.guess, token])
      expect(answers.join('\n')).not.toContain(secret)
  },
)

it.each([
  ['is away', (url: URL) => Object.assign(url, { port: '1' })],
  ['is not there', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
  ['is no address', (url: URL) => url.href.replace('postgres:', 'mysql:')],
])('the error about a database that %s does not contain its password', async (_, change) => {
  const DATABASE_URL = String(change(new URL(db.url)))
  const check = async (role: string) => {
    const { code, said } = await runRole(role, { ...service.env, DATABASE_URL })
    expect([role, code === 0, said.includes(secrets.database)]).toEqual([role, false, false])
  }
  const [{ said }] = await Promise.all([
    run(['node_modules/.bin/node', 'jobs/cli/inspect.ts'], { ...service.env, DATABASE_URL }),
    ...['web', 'worker', 'migrate'].map(check),
  ])
  expect(said).not.toContain(secrets.database)
})
