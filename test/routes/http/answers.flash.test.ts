/** The message for the next page, in a cookie. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { personWith } from '../../support/app/people.ts'

const app = useApp()
const { sql, textAt } = app

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)

const https = useApp({ PUBLIC_URL: 'https://backlot.example' })

describe('the undo in a flash cookie', () => {
  it.each([
    [{ do: 'delete', video_id: 'a' }],
    [{ do: 'unsee', video_id: 'a', action: '/logout' }],
    [{ do: 'unsee_all', seen_at: '"><script>' }],
    ['/logout'],
  ])('a flash cookie with an unknown undo is ignored: %j', async undo => {
    const she = await alice()
    const flash = Buffer.from(JSON.stringify({ kind: 'done', text: 'x', undo })).toString('base64url')
    const html = await textAt('/channels', { as: she, headers: { cookie: `flash=${flash}` } })
    const messages = /<div id="flash".*?<main/s.exec(html)?.[0]
    expect(messages).not.toMatch(/logout|<script|delete/)
  })
})

describe('a message for the next page', () => {
  const lie = Buffer.from(JSON.stringify({ kind: 'problem', text: 'Call this number.' })).toString('base64url')
  it.each([
    ['https', https, `flash=${lie}`, false],
    ['https', https, `__Host-flash=${lie}`, true],
    ['http', app, `flash=${lie}`, true],
  ] as const)(
    'behind %s a flash cookie that another host of the domain could set is ignored: %#',
    async (_, site, cookie, is_read) => {
      expect((await site.textAt('/register', { headers: { cookie } })).includes('Call this number.')).toBe(is_read)
    },
  )
})
