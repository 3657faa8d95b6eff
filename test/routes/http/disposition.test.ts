/** The file name under which a browser saves a video. */
import { parse } from 'content-disposition'
import { describe, expect, it } from 'vitest'
import { attachment } from '../../../src/routes/http/disposition.ts'

/** The name as a browser reads it. */
const read = (header: string) => parse(header).parameters.filename ?? ''

describe('the name of a saved file', () => {
  it.each([
    ['How to bake', 'How to bake.mp4'],
    ['Crème brûlée — part 2 🍮', 'Crème brûlée — part 2 🍮.mp4'],
    ['../../etc/passwd', 'etc passwd.mp4'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j.mp4'],
    ['line\r\nSet-Cookie: x=1', 'line Set-Cookie x=1.mp4'],
    ['right\u202eot left', 'right ot left.mp4'],
    ['  .hidden. ', 'hidden.mp4'],
    ['', 'video.mp4'],
    ['...', 'video.mp4'],
    ['CON', 'video CON.mp4'],
    ['con.air', 'video con.air.mp4'],
    ['half \ud83d of a pair', 'half of a pair.mp4'],
    ["it's 100% (really)", "it's 100% (really).mp4"],
  ])('the title %j is saved as %j', (title, name) => {
    expect(read(attachment(title, 'mp4'))).toBe(name)
  })

  it('the header is ASCII without line breaks or stray quotes, whatever the title', () => {
    const header = attachment('"quoted" \r\n 日本語 \u0000 % \\ Ünïcode', 'mp4')
    expect(header).toMatch(/^attachment; filename="[ -!#-~]*"; filename\*=UTF-8''[A-Za-z0-9%._~!&+-]+$/)
  })

  it('a file name fits a file system and is never cut inside a character', () => {
    const name = read(attachment('🍮'.repeat(300), 'mp4'))
    expect(Buffer.byteLength(name)).toBeLessThan(200)
    expect(name).toMatch(/^🍮+\.mp4$/u)
  })
})
