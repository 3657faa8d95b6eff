/** The sentences for fields that the API refuses. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { follows, person } from '../../support/app/people.ts'

const { ask, sql } = useApp()

describe('invalid requests', () => {
  it.each([
    ['POST', '/api/channels', {}, { url: 'This is missing.' }],
    ['POST', '/api/channels', { url: 5 }, { url: 'This should be text.' }],
    ['POST', '/api/channels', { url: '' }, { url: 'Paste an address.' }],
    ['POST', '/api/feed', { rss_url: 'https://x.example', save: 'no' }, { save: 'This should be true or false.' }],
    ['POST', '/api/download/batch', { video_ids: 'v' }, { video_ids: 'This should be a list.' }],
    ['POST', '/api/download/batch', { video_ids: [''] }, { 'video_ids.0': 'This must not be empty.' }],
    ['POST', '/api/download/batch', { video_ids: ['x'.repeat(300)] }, { 'video_ids.0': 'Use at most 200 characters.' }],
    [
      'POST',
      '/api/download/batch',
      { video_ids: ['v'], quality: '720' },
      { quality: 'There is no such field. Remove it.' },
    ],
    [
      'POST',
      '/api/download/batch',
      { scope: { which: 'all', quality: '720' } },
      { 'scope.quality': 'There is no such field. Remove it.' },
    ],
    ['POST', '/api/download/batch', null, { body: 'This should be an object.' }],
    [
      'PUT',
      '/api/settings',
      { quality: 'huge' },
      { quality: 'Use one of 360, 480, 720, 1080, 1440, 2160, best, compatible, audio, mp3.' },
    ],
  ])('%s %s %j gets a plain sentence for the field', async (method, path, json, errors) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v'])
    const answer = await ask(path, { as: alice, method, json })
    expect([answer.status, ((await answer.json()) as { errors: object }).errors]).toEqual([422, errors])
  })
})
