/** Parts that are rendered before their page. */
import { expect, it } from 'vitest'
import { rendered, renderedText } from '../../../src/views/ui/rendered.ts'

it('a character beyond U+00FF is written as a reference, so that it does not double the memory of its page', () => {
  expect(String(rendered(<p title="Größe · 大">😀 … é</p>))).toBe('<p title="Größe · &#22823;">&#128512; &#8230; é</p>')
})

it('a text is escaped once, as a child and as an attribute', () => {
  const text = renderedText('"Bread" & <more>…')
  const written = '&quot;Bread&quot; &amp; &lt;more&gt;&#8230;'
  expect(String(<p title={text}>{text}</p>)).toBe(`<p title="${written}">${written}</p>`)
})

it('a text in a script beyond U+00FF stays as it is, because references would be longer', () => {
  const title = 'Хлеб для тех, у кого нет времени'
  expect(String(rendered(<p title={title}>大</p>))).toBe(`<p title="${title}">大</p>`)
})
