/** JSX as HTML: what is escaped, what is left out, and how attributes are written. */
import { expect, it } from 'vitest'

const htmlOf = (element: unknown) => String(element)

it('escapes every text and every attribute', () => {
  const hostile = `<script>alert("1" & '2')</script>`
  const html = htmlOf(<p title={hostile}>{hostile}</p>)

  const harmless = '&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;'
  expect(html).toBe(`<p title="${harmless}">${harmless}</p>`)
})

it('escapes an object that pretends to be HTML, as JSON could contain one', () => {
  const pretender = { ...JSON.parse('{"isEscaped":true,"html":"<b>"}'), toString: () => '<b>' }
  expect(htmlOf(<p>{pretender}</p>)).toBe('<p>&lt;b&gt;</p>')
})

it('renders elements in elements once, without escaping them again', () => {
  const Item = ({ name }: { name: string }) => <li>{name}</li>
  const list = (
    <ul>
      {['a', '<b>'].map(name => (
        <Item name={name} />
      ))}
      {
        <>
          <li>{3}</li>
        </>
      }
    </ul>
  )
  expect(htmlOf(list)).toBe('<ul><li>a</li><li>&lt;b&gt;</li><li>3</li></ul>')
})

it('renders nothing for null, undefined, true and false, and a zero for 0', () => {
  expect(
    htmlOf(
      <p>
        {null}
        {undefined}
        {true}
        {false}
        {0}
        {''}
      </p>,
    ),
  ).toBe('<p>0</p>')
})

it('writes attributes without a value only when they are true, and other booleans as words', () => {
  const input = <input type="checkbox" checked={true} required={false} spellcheck={false} aria-label={undefined} />
  expect(htmlOf(input)).toBe('<input type="checkbox" checked="" spellcheck="false"/>')
  expect(htmlOf(<form data-keeps-address></form>)).toBe('<form data-keeps-address="true"></form>')
})
