/** Imports and exports, by form and API. */
import { describe, expect } from 'vitest'
import { parseList } from '../../../src/feed/lists/parse-list.ts'
import { max_file_bytes, no_content } from '../../../src/schema/imports/import.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { workThrough } from '../../support/app/imports.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { zipOf } from '../../support/media/archives.ts'

const app = useApp()
const { ask, jsonAt, textAt } = app
const it = withPeople(app)

/** The form as a browser sends it. */
const send = (
  as: Person,
  { file, text = '' }: { file?: File; text?: string },
  headers: Record<string, string> = {},
) => {
  const form = new FormData()
  form.append('file', file ?? new File([], ''))
  form.append('text', text)
  return app.app.request(
    '/import',
    { method: 'POST', body: form, headers: { ...headers, cookie: as.cookie } },
    { remote_address: '192.0.2.1' },
  )
}

const opml = '<opml><outline text="Slow & Kitchen" xmlUrl="https://videos.example/kitchen"/></opml>'

describe('importing by the form', () => {
  it('the import form is linked from the channels, and a file leads to its progress', async ({ alice }) => {
    const file = new File([`${opml}<outline text="<b>Gone" xmlUrl="https://videos.example/gone"/>`], 'my.opml')

    expect(await textAt('/channels', { as: alice })).toContain('href="/import"')
    expect(await textAt('/import', { as: alice })).toMatch(/<form[^>]*enctype="multipart\/form-data"/)
    const answer = await send(alice, { file })
    const path = answer.headers.get('location') ?? ''
    const waiting = await textAt(path, { as: alice })
    await workThrough(alice, path.slice('/import/'.length))
    const done = await textAt(path, { as: alice })

    expect(answer.status).toBe(303)
    expect(path).toMatch(/^\/import\/[0-9a-f-]{36}$/)
    for (const words of ['0 of 2', 'every 2s', 'Slow &amp; Kitchen']) expect(waiting).toContain(words)
    expect(done).toContain('1 channel added, 1 failed')
    for (const words of ['See what is new', '&lt;b&gt;Gone', 'The site answered 404. Check the address.'])
      expect(done).toContain(words)
    expect(done).toMatch(/href="\/channels\/kitchen"><span class="avatar[^>]*>.<\/span><bdi>kitchen</)
    expect(done).not.toContain('every 2s')
    expect(await textAt('/import', { as: alice })).toContain(`href="${path}"`)
  })

  it('a pasted list is imported, and its failed lines can be tried again', async ({ alice }) => {
    const answer = await ask('/import', { as: alice, form: { text: 'https://videos.example/gone' } })
    const path = answer.headers.get('location') ?? ''
    await workThrough(alice, path.slice('/import/'.length))
    expect(await textAt(path, { as: alice })).toContain('Retry failed')

    const again = await ask(`${path}/retry`, { as: alice, method: 'POST' })

    expect([again.status, again.headers.get('location')]).toEqual([303, path])
    expect(await textAt(path, { as: alice })).toContain('0 of 1')
  })

  it('page, list and API say how many items could not be saved', async ({ alice }) => {
    const content = { ...no_content, items: 4, done: 4, marked: 1, marked_here: 1, unknown: 1, failed: 2 }
    const imported = { kind: 'archive', lines: [], passed_over: 0, content } as const
    const import_id = (await alice.library.imports.begin(async () => ({ ...imported, lines: [] }))) ?? ''
    await alice.library.imports.endJob(import_id, null)
    const page = await textAt(`/import/${import_id}`, { as: alice })
    expect(page).toContain('2 entries that could not be saved, by a fault of this server')
    expect(page).toContain('1 entry that could not be read, or is not a video')
    expect(await textAt('/import', { as: alice })).toContain('1 watched, 2 not saved')
    expect(await jsonAt(`/api/import/${import_id}`, { as: alice })).toMatchObject({
      content: { failed: 2 },
    })
  })

  it('an import that brought nothing says so, and one that runs can be followed without a script', async () => {
    const alice = await person(app.sql, 'alice')
    const content = { ...no_content, items: 1 }
    const import_id =
      (await alice.library.imports.begin(async () => ({ kind: 'history', lines: [], passed_over: 0, content }))) ?? ''
    const link = `<a href="/import/${import_id}">Show its progress now</a>`
    const running = await textAt(`/import/${import_id}`, { as: alice })
    expect(running.match(/<noscript>.*?<\/noscript>/s)?.[0]).toContain(link)
    await alice.library.imports.endJob(import_id, null)
    const done = await textAt(`/import/${import_id}`, { as: alice })
    expect(done).toContain('<p role="status">Nothing new</p>')
    expect(done).not.toContain(link)
  })

  it('page and API say how many lines name no channel', async ({ alice }) => {
    const [one = '', two = ''] = ['What I watch:', '[youtube]\n; old'].map(text => `${text}\nhttps://videos.example/a`)
    const path = (await send(alice, { text: one })).headers.get('location') ?? ''
    const { import_id } = await jsonAt('/api/import', { as: alice, json: { text: two } })
    const progress = await jsonAt(`/api/import/${import_id}`, { as: alice })
    expect(await textAt(path, { as: alice })).toContain('1 line skipped: no channel found in it.')
    expect(await textAt(`/import/${import_id}`, { as: alice })).toContain('2 lines skipped: no channel found in them.')
    expect(progress).toMatchObject({ passed_over: 2, total: 1 })
  })

  it('page, list and API say which playlists and pages beside the channels are not read, of old imports none', async ({
    alice,
  }) => {
    const playlist = JSON.stringify({ playlistName: 'P', videos: [{ videoId: 'dQw4w9WgXcQ' }], _id: 'p' })
    const outlines = `${opml}<outline type="HTML+XPath" xmlUrl="https://videos.example/page"/>`
    const packed = zipOf([
      { name: 'feeds.opml', content: outlines },
      { name: 'playlists.db', content: playlist },
    ])
    const path = (await send(alice, { file: new File([packed], 'all.zip') })).headers.get('location') ?? ''
    expect(await textAt(path, { as: alice })).toContain('0 of 1 done')
    await workThrough(alice, path.slice('/import/'.length))
    const page = await textAt(path, { as: alice })
    expect(page).toContain('<p role="status">1 channel added</p>')
    expect(page).toContain('1 playlist of another app: follow a public one by its link, and make others here')
    expect(page).toContain('1 page without a feed, of which another app makes one')
    expect(await textAt('/import', { as: alice })).toMatch(/ · 1 channel added</)
    const content = { playlists_unread: 1, pages_unread: 1 }
    expect(await jsonAt(`/api${path}`, { as: alice })).toMatchObject({ kind: 'opml', passed_over: 0, content })
    await app.sql`update imports set content = content - 'playlists_unread' where user_id = ${alice.user.user_id}`
    expect(await jsonAt(`/api${path}`, { as: alice })).toMatchObject({ content: { ...content, playlists_unread: 0 } })
  })

  it('a refused list is shown again with a sentence at the field', async ({ alice }) => {
    const answer = await send(alice, { text: '# <nothing>' })
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toContain('No channels found in this list.')
    expect(page).toContain('# &lt;nothing&gt;</textarea>')
    expect(page).toContain('aria-describedby="text-error"')
    expect((await send(alice, {})).status).toBe(422)
  })

  it('a list may have two megabytes, and other forms stay small', async ({ alice }) => {
    const long = (bytes: number) => new File([`https://videos.example/a\n${'#'.repeat(bytes)}`], 'list.txt')
    const statuses = []
    for (const size of [2_000_000, 2_200_000, 4_000_000])
      statuses.push((await send(alice, { file: long(size) })).status)
    const other = await ask('/channels', { as: alice, form: { url: 'x'.repeat(300_000) } })
    expect(statuses).toEqual([303, 413, 413])
    expect(other.status).toBe(413)
  })

  it('htmx gets only the progress of an import, and stops polling at its end', async ({ alice }) => {
    const path = (await send(alice, { text: 'https://videos.example/a' })).headers.get('location') ?? ''
    const fragment = async () => textAt(path, { as: alice, headers: { 'hx-request': 'true' } })
    const running = await fragment()
    await workThrough(alice, path.slice('/import/'.length))
    const done = await fragment()
    expect(running).toMatch(/^<hx-partial hx-target="#import"/)
    expect(running).not.toContain('#ticker')
    expect(done).toContain('<hx-partial hx-target="#ticker"')
    expect(running + done).not.toMatch(/<html|every 2s/)
  })
})

describe('importing an archive', () => {
  const subscriptions = `Channel Id,Channel Url,Channel Title\n${['a', 'b']
    .map(letter => `UC${letter.repeat(22)}`)
    .map(id => `${id},http://www.youtube.com/channel/${id},Slow ${id.at(-1)}\n`)
    .join('')}`
  const takeout = zipOf([
    { name: 'Takeout/archive_browser.html', content: '<html></html>' },
    { name: 'Takeout/YouTube und YouTube Music/Abos/Abos.csv', content: subscriptions },
  ])
  const begin = (as: Person, body: Uint8Array<ArrayBuffer>, type: string, headers: Record<string, string> = {}) =>
    app.app.request(
      '/api/import',
      { method: 'POST', body, headers: { ...headers, cookie: as.cookie, 'content-type': type } },
      { remote_address: '192.0.2.1' },
    )

  it('form and API accept a Google Takeout archive', async ({ alice }) => {
    const path = (await send(alice, { file: new File([takeout], 'takeout-20261122T000000Z-001.zip') })).headers.get(
      'location',
    )
    const page = await textAt(path ?? '', { as: alice })
    const answers = [
      await begin(alice, takeout, 'application/zip'),
      await begin(alice, takeout, 'application/octet-stream'),
    ]
    for (const words of ['YouTube subscriptions', '0 of 2', 'Slow b']) expect(page).toContain(words)
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(await answers[0]?.json()).toMatchObject({ kind: 'takeout', total: 2, passed_over: 0 })
  })

  it('a picture and a too large file are refused with advice', async ({ alice }) => {
    const picture = new Uint8Array(Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'))
    const refused = await send(alice, { file: new File([picture], 'subscriptions.csv') })
    const problem = await begin(alice, picture, 'application/zip')
    const announced = { 'content-length': String(max_file_bytes + 1_000_000) }
    const large = await send(alice, { file: new File([picture], 'takeout.zip') }, announced)
    const large_problem = await begin(alice, picture, 'application/zip', announced)
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('This is a picture. Choose an OPML file')
    expect([problem.status, await problem.json()]).toEqual([
      422,
      expect.objectContaining({ detail: expect.stringContaining('This is a picture.') }),
    ])
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('select only the history')])
    expect([large_problem.status, await large_problem.json()]).toEqual([
      413,
      expect.objectContaining({ detail: expect.stringContaining('512 MB') }),
    ])
  })

  it('a user can send one file at a time', async ({ alice, bob }) => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const pull = async (controller: ReadableStreamDefaultController) => {
      begun.resolve()
      await gate.promise
      controller.enqueue(takeout)
      controller.close()
    }
    const slow = new ReadableStream({ pull }, { highWaterMark: 0 })
    const sending = app.app.request(
      '/api/import',
      {
        method: 'POST',
        body: slow,
        duplex: 'half',
        headers: { cookie: alice.cookie, 'content-type': 'application/zip' },
      } as RequestInit,
      { remote_address: '192.0.2.1' },
    )
    await begun.promise
    const [second, other] = [
      await begin(alice, takeout, 'application/zip'),
      await begin(bob, takeout, 'application/zip'),
    ]
    gate.resolve()
    expect([second.status, other.status, (await sending).status]).toEqual([429, 202, 202])
    expect((await begin(alice, takeout, 'application/zip')).status).toBe(202)
  })

  it('other types of body are refused', async ({ alice }) => {
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/zipper'])
      expect((await begin(alice, takeout, type)).status).toBe(415)
  })
})

describe('exporting', () => {
  const hostile = `A "quoted" <b>&amp; 'odd' title`

  it.each(['/export.opml', '/export.json', '/api/export'])('an export by %s can be imported again', async path => {
    const [alice, bob] = [await person(app.sql, 'alice'), await person(app.sql, 'bob')]
    const rss_url = 'https://videos.example/feed?a=1&b="2"'
    await alice.library.channels.save({ channel_id: 'odd', title: hostile, rss_url }, [])
    await follows(alice, 'plain', [])
    await follows(bob, 'his', [])

    const answer = await ask(path, { as: alice })
    const { lines } = parseList(await answer.text())

    expect(answer.status).toBe(200)
    expect(lines).toEqual([
      { address: rss_url, title: hostile },
      { address: 'https://videos.example/plain.xml', title: 'Channel plain' },
    ])
    if (path !== '/api/export')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="backlot channels\.(opml|json)"/)
  })

  it('an export imported elsewhere follows the same channels', async ({ alice, bob }) => {
    for (const name of ['one', 'two']) await follows(alice, name, [], { rss_url: `https://videos.example/${name}` })
    const exported = await textAt('/export.opml', { as: alice })
    const answer = await send(bob, { file: new File([exported], 'backlot channels.opml') })
    await workThrough(bob, (answer.headers.get('location') ?? '').slice('/import/'.length))
    expect((await bob.library.channels.list()).map(({ channel_id, rss_url }) => ({ channel_id, rss_url }))).toEqual(
      (await alice.library.channels.list()).map(({ channel_id, rss_url }) => ({ channel_id, rss_url })),
    )
  })
})
