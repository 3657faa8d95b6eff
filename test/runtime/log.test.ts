import { expect, it } from 'vitest'
import { plain } from '../../src/runtime/log.ts'

const line = (fields: object) => plain(JSON.stringify({ level: 'info', time: '2026-11-20T12:00:00.000Z', ...fields }))
const at = /^\d\d:\d\d:\d\d /

it('a line for people has the message and what it is about, and no JSON around them', () => {
  const said = line({ msg: 'a rule deleted a file', video_id: 'v1' })
  expect(said).toMatch(at)
  expect(said.replace(at, '')).toBe('a rule deleted a file video_id="v1"\n')
})

it('warnings and errors are marked, and a fault is shown below its message', () => {
  const err = { type: 'Error', message: 'it broke', stack: 'Error: it broke\n    at here' }
  expect(line({ level: 'warn', msg: 'careful', err: { code: 'ECONNREFUSED' } }).replace(at, '')).toBe(
    'Warning: careful\n  ECONNREFUSED\n',
  )
  expect(line({ level: 'error', msg: 'a fault', err }).replace(at, '')).toBe(
    'Error: a fault\n  Error: it broke\n    at here\n',
  )
})

it('a terminal gets no control characters and no marks of direction from a title, a message or a fault', () => {
  const text = 'a\u001b[2J\u009b2J\r\u0007b\u202e'
  const said = line({ msg: text, title: text, err: { message: `${text}\n    at here\tx` } })
  expect(said.replace(at, '')).not.toMatch(/[^\n\t\P{C}]/u)
  expect(said).toMatch(/\n {4}at here\tx\n$/)
})
