/** Parts that are kept: one for all equal values, never for others, and not without limit. */
import { expect, it } from 'vitest'
import { remembered } from '../../../src/views/frames/remembered.ts'

type Props = { id: string; title?: string | null; is_seen: boolean; now?: number }

/** A part that counts how often it is rendered. */
function counted() {
  const rendered: string[] = []
  const Part = remembered(
    ({ id, title, is_seen }: Props) => {
      rendered.push(id)
      return (
        <p id={id} class={is_seen ? 'seen' : undefined}>
          {title}
        </p>
      )
    },
    ({ now, ...props }) => props,
  )
  return { Part, rendered }
}

it('a part with equal values is rendered once, and with any other value again', () => {
  const { Part, rendered } = counted()
  const html = (title: string | null, is_seen: boolean, now = 1) =>
    String(<Part id="a" title={title} is_seen={is_seen} now={now} />)

  expect(html('Bread', false)).toBe('<p id="a">Bread</p>')
  expect(html('Bread', false, 2)).toBe('<p id="a">Bread</p>')
  expect(rendered).toEqual(['a'])

  expect(html('Bread', true)).toBe('<p id="a" class="seen">Bread</p>')
  expect(html('bread', false)).toBe('<p id="a">bread</p>')
  expect(html(null, false)).toBe('<p id="a"></p>')
  expect(html('null', false)).toBe('<p id="a">null</p>')
  expect(rendered).toHaveLength(5)
})

it('values that look alike when they are put next to each other are not confused', () => {
  const Part = remembered(
    ({ one, two }: { one: string; two: string }) => <p title={one}>{two}</p>,
    ({ one, two }) => [one, two],
  )
  expect(String(<Part one={'a","b'} two="c" />)).toBe('<p title="a&quot;,&quot;b">c</p>')
  expect(String(<Part one="a" two={'b","c'} />)).toBe('<p title="a">b&quot;,&quot;c</p>')
})

it('a kept part is escaped like any other, and not twice', () => {
  const { Part } = counted()
  const hostile = '<script>alert(1)</script>'
  for (const _ of [1, 2])
    expect(String(<div>{<Part id="x" title={hostile} is_seen={false} />}</div>)).toBe(
      '<div><p id="x">&lt;script&gt;alert(1)&lt;/script&gt;</p></div>',
    )
})

it('a kept part has every letter that was rendered, known or new', () => {
  const { Part } = counted()
  const title = 'Crème brûlée, 大きい, 🎬👩‍🍳, e\u0301, \u202eend\u202c \ufeff\u00ad\u0000'
  for (const _ of ['new', 'known'])
    expect(String(<Part id="letters" title={title} is_seen={false} />)).toBe(`<p id="letters">${title}</p>`)
})

it('the oldest are dropped when the kept ones have 8,000,000 characters', () => {
  const { Part, rendered } = counted()
  const show = (n: number) => String(<Part id={`v${n}`} title={'x'.repeat(3800)} is_seen={false} />)
  for (let n = 0; n < 1100; n++) show(n)
  show(1099)
  show(200)
  expect(rendered).toHaveLength(1100)

  show(0)
  expect(rendered).toHaveLength(1101)
})

it('a part with long texts is shown whole and not kept', () => {
  const { Part, rendered } = counted()
  for (const title of ['x'.repeat(8000), '&'.repeat(1600), '大'.repeat(4000)]) {
    rendered.length = 0
    const show = () => String(<Part id="v" title={title} is_seen={false} />)
    expect(show()).toBe(`<p id="v">${title.replaceAll('&', '&amp;')}</p>`)
    expect(show()).toBe(show())
    expect(rendered).toHaveLength(3)
  }
})
