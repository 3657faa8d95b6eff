import { describe, expect, it } from 'vitest'
import { descriptionOf, titleOf } from '../../../src/feed/markup/html.ts'

describe('text without markup', () => {
  it.each([
    ['<b>Bold</b>  and\n<i>more</i>', 'Bold and more'],
    ['a<script>alert(1)</script>b', 'ab'],
    ['a<SCRIPT>alert("</scrip>")', 'a'],
    ['<img src=x onerror="alert(1)">x', 'x'],
    ['1 < 2 > 0', '1 < 2 > 0'],
    ['I <3 Map<string>', 'I <3 Map<string>'],
    ['AT&amp;T &eacute;&#233;&#xe9; &#150; &unknown;', 'AT&T ééé – &unknown;'],
    ['&amp;lt;', '&lt;'],
    ['&ccaron;&lstrok;&eogon;&sacute; &sum;&radic; &lang;x&rang; &check;', 'čłęś ∑√ ⟨x⟩ ✓'],
    ['a&copy=1 AT&T &copy', 'a&copy=1 AT&T &copy'],
    ['&#0;&#xD800;&#1114112;', '\ufffd\ufffd\ufffd'],
    // Windows' letters where Unicode has controls, as browsers read them.
    ['don\u0092t \u0096 \u0080 5 \u0093yes\u0094 \u0081x &#146;', 'don’t – € 5 “yes” x ’'],
    ['a<style>b { color: red }</style>c', 'ac'],
    ['&lt;b&gt; is a tag', '<b> is a tag'],
    ['a<!-- <b> -->b<br/>c', 'ab c'],
    ['\u0000A\u0007B\ud800C', 'ABC'],
    ['👍🏽', '👍🏽'],
    ['<a title=">">link</a>', 'link'],
  ])('%j is %j', (html, text) => expect(titleOf(html)).toBe(text))

  it.each([[undefined], [''], ['  \n'], ['<p></p>'], ['&nbsp;'], ['\u0000']])('%j is nothing', html =>
    expect(titleOf(html)).toBeUndefined(),
  )

  it('a long title is cut between two letters', () => {
    const title = titleOf('👍'.repeat(100_000)) ?? ''
    expect(title.length).toBeLessThanOrEqual(500)
    expect(title).toMatch(/^(👍)+…$/u)
  })

  it.each([
    ['html', `<p>${'👍'.repeat(100_000)}</p>`],
    ['text', `x${'👍'.repeat(100_000)}`],
  ] as const)('cuts a description at its limit, never in half a character (%s)', (kind, text) => {
    const description = descriptionOf(text, kind) ?? ''
    expect(description.length).toBeGreaterThan(49_990)
    expect(description.length).toBeLessThanOrEqual(50_000)
    expect(description).toMatch(/^x?(👍)+…$/u)
  })

  it('a description of the maximum length is kept whole', () => {
    expect(descriptionOf('x'.repeat(50_000))).toBe('x'.repeat(50_000))
  })

  it('plain text keeps its lines, and HTML gets lines', () => {
    expect(descriptionOf('one\r\ntwo\n\n\n\nthree')).toBe('one\ntwo\n\nthree')
    expect(descriptionOf('<ul><li>one\nand</li><li>two</li></ul>')).toBe('one and\n\ntwo')
  })

  it('text that the feed declares as plain is unchanged', () => {
    expect(titleOf('The <b> tag &amp; more', 'text')).toBe('The <b> tag &amp; more')
  })

  it.each([
    '<b> '.repeat(200_000),
    '<'.repeat(500_000),
    "<a '".repeat(200_000),
    '<b "'.repeat(200_001),
    '<script>'.repeat(100_000),
    '&'.repeat(500_000),
    '&amp;'.repeat(500_000),
    '&CounterClockwiseContourIntegra'.repeat(50_000),
    '\u0092'.repeat(500_000),
    `<b>${' '.repeat(500_000)}`,
  ])('takes its time in proportion, whatever comes (%#)', html => {
    expect(() => descriptionOf(html)).not.toThrow()
  })
})
