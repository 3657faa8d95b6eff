/** Sends hostile texts in every field and header: each is accepted, or refused with a reason. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ask, unlimited, useApp } from '../support/app/app.ts'
import { administrator, entry, follows, type Person } from '../support/app/people.ts'
import { naughty } from './payloads.ts'

const app = useApp({
  limits: unlimited,
  // The typed text becomes a channel, so that the other pages show it again.
  findFeed: async address => ({
    rss_url: 'https://videos.example/feed.xml',
    feed: { channel_id: 'typed', title: address.replaceAll('\0', '') || 'x', entries: [entry('t1')], skipped: 0 },
  }),
})
const { ask, sql } = app
let alice: Person
beforeAll(async () => {
  alice = await administrator(sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
})

const rule = { auto_download: 'on' }
const query = (fields: Record<string, string>) => new URLSearchParams(fields)
const named = (text: string) => encodeURIComponent(text.toWellFormed())
const an_id = '3f0d8c5a-6d0e-4f0b-8e0a-2a9c7f6b1d20'
/** The fields, and the request that puts a text into each. */
const fields: Record<string, (text: string) => [path: string, ask: Ask]> = {
  'the search of the first page': text => [`/?${query({ q: text })}`, {}],
  'the search of a channel': text => [`/channels/kitchen?${query({ q: text, status: text })}`, {}],
  'the query of a history': text => [`/api/history/kitchen?${query({ limit: text, cursor: text })}`, {}],
  'the query of statuses': text => [`/api/download/status?${query({ video_id: text })}`, {}],
  'an address to look at': text => [`/channels/new?${query({ url: text })}`, {}],
  'an address to discover': text => [`/api/discover?${query({ url: text })}`, {}],
  'an address to follow': text => ['/channels', { form: { url: text } }],
  'an address to follow, as JSON': text => ['/api/channels', { json: { url: text } }],
  'an address to read': text => ['/api/feed', { json: { rss_url: text } }],
  'a list to import': text => ['/import', { form: { text } }],
  'a list to import, as JSON': text => ['/api/import', { json: { text } }],
  'a batch': text => ['/api/download/batch', { json: { video_ids: [text, text] } }],
  'a batch of the form': text => ['/downloads', { form: { video_id: text } }],
  'the quality of everything': text => ['/settings', { form: { quality: text } }],
  'the quality of a channel': text => ['/channels/kitchen/quality', { form: { quality: text } }],
  'the words of a rule': text => [
    '/channels/kitchen/settings',
    { form: { ...rule, title_words: text, without_words: text } },
  ],
  'the expression of a rule': text => [
    '/channels/kitchen/settings',
    { form: { ...rule, title_pattern: text, keep_newest: text } },
  ],
  'a rule as JSON': text => [
    '/api/channels/kitchen/rule',
    { method: 'PUT', json: { auto_download: true, title_words: [text], title_pattern: text } },
  ],
  'a theme': text => ['/theme', { form: { theme: text } }],
  'where to go after signing in': text => [`/login?${query({ next: text })}`, {}],
  'a name in the path of a page': text => [`/watch/${named(text)}`, {}],
  'a name in the path of the API': text => [`/api/download/${named(text)}`, { method: 'POST' }],
  'the search of people': text => [`/admin?${query({ q: text, sort: text })}`, {}],
  'the place in the list of people': text => [`/admin?${query({ sort: 'bytes', cursor: text })}`, {}],
  'the place in the log': text => [`/api/admin/log?${query({ cursor: text })}`, {}],
  'the name of a person': text => [`/admin/people/${named(text)}`, {}],
  'the name of a person in the API': text => [
    `/api/admin/people/${named(text)}`,
    { method: 'PATCH', json: { locked: true } },
  ],
  'a role and a quota': text => [
    '/api/admin/people/missing',
    { method: 'PATCH', json: { role: text, quota_gb: text } },
  ],
  'a quota of the form': text => ['/admin/people/missing/quota', { form: { quota_gb: text } }],
  'the note of an invitation': text => ['/admin/invitations', { form: { note: text, days: '' } }],
  'an invitation as JSON': text => ['/api/admin/invitations', { json: { note: text } }],
  'the id of an invitation': text => [`/api/admin/invitations/${named(text)}`, { method: 'DELETE' }],
  'an invitation of the sign-up': text => [
    `/register?${query({ invitation: text })}`,
    { form: { invitation: text, username: 'guest', password: text, password_confirmation: text } },
  ],
  'a paused host': text => ['/health/end-pause', { form: { host: text } }],
  'a host to retry': text => ['/health/retry', { form: { host: text } }],
  'an identity to unlink': text => ['/settings/identities/unlink', { form: { issuer: text, subject: text } }],
  'the name of a passkey': text => ['/settings/passkeys/options', { form: { name: text, current_password: text } }],
  'a new name of a passkey': text => [`/settings/passkeys/${an_id}/rename`, { form: { name: text } }],
  'an answer of a passkey': text => ['/login/passkey', { form: { credential: text, next: text } }],
  'a return from a provider': text => [`/login/oidc/callback?${query({ code: text, state: text, iss: text })}`, {}],
}

it.each(Object.entries(fields))('no text breaks the field %s', async (_, where) => {
  for (const text of naughty) {
    const [path, more] = where(text)
    const answer = await ask(path, { as: alice, ...more })
    expect(answer.status, `${JSON.stringify(text).slice(0, 60)}: ${await answer.text()}`).toBeLessThan(500)
  }
})

it('no text breaks the fields for name and password', async () => {
  const tries = naughty.map(async text => {
    const registered = await ask('/register', { form: { username: text, password: text, password_confirmation: text } })
    expect(registered.status, text).toBeLessThan(500)
    const signed_in = await ask('/login', { form: { username: text, password: text, next: text } })
    expect(signed_in.status, text).toBeLessThan(500)
  })
  await Promise.all(tries)
})

it('every page still works after all hostile texts were saved', async () => {
  for (const path of [
    '/',
    '/channels',
    '/channels/kitchen',
    '/watch/v1',
    '/downloads',
    '/import',
    '/settings',
    '/settings/account',
    '/admin',
    '/admin/invitations',
    '/admin/log',
    '/health',
  ])
    expect((await ask(path, { as: alice })).status, path).toBe(200)
})

describe('headers', () => {
  const latin = naughty.filter(text => /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.length < 5000)
  it.each([
    'cookie',
    'referer',
    'accept',
    'hx-request',
    'hx-current-url',
    'range',
    'if-range',
    'if-none-match',
    'if-modified-since',
    'accept-language',
    'x-forwarded-for',
    'x-forwarded-proto',
    'host',
  ])('no text breaks the header %s', async name => {
    for (const text of latin) {
      const answer = await ask('/downloads', { as: alice, headers: { [name]: text } })
      expect(answer.status, text).toBeLessThan(500)
    }
  })
})
