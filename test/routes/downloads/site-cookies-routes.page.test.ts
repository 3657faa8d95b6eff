/** The page of a person's cookies: what it shows, and what it never shows. */
import { expect, it } from 'vitest'
import { seal } from '../../../src/auth/sealed.ts'
import { useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'
import { cookieFile, wholeBrowser } from '../../support/media/small-youtube/account.ts'

const secret_key = 'a-key-of-more-than-thirty-two-letters'
const app = useApp({ SECRET_KEY: secret_key })
const without_key = useApp()
const { ask, sql, textAt } = app
const login = 'a-secret-login'

const page = async (as: Person) => textAt('/settings/cookies', { as })
const store = (as: Person, form: Record<string, string>) => ask('/settings/cookies', { as, form })

it('stores a pasted text, and shows the site without anything of it', async () => {
  const alice = await person(sql, 'alice')
  const answer = await store(alice, { host: 'https://www.youtube.com/', text: cookieFile(login) })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/settings/cookies'])
  const shown = await page(alice)
  expect(shown).toContain('Stored <time')
  expect(shown).toContain('action="/settings/cookies/youtube.com/delete"')
  expect(shown).not.toContain(login)
  expect(await page(await person(sql, 'bob'))).not.toContain('youtube.com/delete')
})

it('stores a chosen file, also that of a whole browser', async () => {
  const alice = await person(sql, 'alice')
  const body = new FormData()
  body.set('host', 'youtube.com')
  body.set('file', new File([wholeBrowser(cookieFile(login))], 'cookies.txt'))
  body.set('text', '')
  expect((await ask('/settings/cookies', { as: alice, body, method: 'POST' })).status).toBe(303)
  expect(await alice.library.cookies.list()).toMatchObject([{ host: 'youtube.com' }])
})

it('shows a refused form with its reason, and not the text that was sent', async () => {
  const alice = await person(sql, 'alice')
  for (const [form, sentence] of [
    [{ host: 'com', text: cookieFile(login) }, 'Enter the address of one site'],
    [{ host: '', text: cookieFile(login) }, 'Enter the address of the site'],
    [{ host: 'site.example', text: cookieFile(login) }, 'no valid cookies for site.example'],
    [{ host: 'music.youtube.com', text: cookieFile(login) }, 'Store them for youtube.com.'],
    [{ host: 'site.example', text: login }, 'This is no cookie file'],
  ] as const) {
    const answer = await store(alice, form)
    const text = await answer.text()
    expect([answer.status, text.includes(sentence), text.includes(login)]).toEqual([422, true, false])
    expect(text).toContain(`value="${form.host}"`)
  }
})

it('says what to do about a file that is larger than that of any browser', async () => {
  const alice = await person(sql, 'alice')
  const answer = await store(alice, { host: 'youtube.com', text: 'x'.repeat(2_100_000) })
  expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('Export only the cookies for')])
})

it('says when they stopped working, and deletes them', async () => {
  const alice = await person(sql, 'alice')
  await store(alice, { host: 'youtube.com', text: cookieFile(login) })
  const [stored] = await alice.library.cookies.list()
  await alice.library.cookies.recordUse(stored ?? expect.fail(), true)
  expect(await page(alice)).toContain('last worked <time')
  await alice.library.cookies.recordUse(stored ?? expect.fail(), false)
  expect(await page(alice)).toContain('Stopped working <time')
  expect((await ask('/settings/cookies/youtube.com/delete', { as: alice, method: 'POST' })).status).toBe(303)
  expect(await alice.library.cookies.list()).toEqual([])
})

it('says when they expire, and that they have expired', async () => {
  const alice = await person(sql, 'alice')
  await store(alice, { host: 'youtube.com', text: cookieFile(login) })
  expect(await page(alice)).toMatch(/· expire <time[^>]*>in \d+ years</)

  const text = cookieFile(login).replaceAll('4070908800', '1700000000')
  const sealed = seal(secret_key, `cookies of ${alice.user.user_id} for youtube.com`, text)
  await alice.library.cookies.store('youtube.com', sealed)
  expect(await page(alice)).toMatch(/· expired <time[^>]*>\d+ years? ago</)
})

it('says that cookies are to be stored again when the key has changed, and without a key that they cannot be', async () => {
  const alice = await person(sql, 'alice')
  await alice.library.cookies.store('youtube.com', Buffer.from('sealed with another key'))
  expect(await page(alice)).toContain('Store them again.')
  const other = await person(without_key.sql, 'alice')
  await other.library.cookies.store('youtube.com', Buffer.from('sealed with a key'))
  const shown = await without_key.textAt('/settings/cookies', { as: other })
  expect(shown).toContain('Its administrator has to set SECRET_KEY')
  expect(shown).toContain('because this server has no SECRET_KEY.')
  expect(shown).toContain('action="/settings/cookies/youtube.com/delete"')
  expect(shown).not.toContain('<textarea')
})
