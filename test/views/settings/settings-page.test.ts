/** The bookmark that opens the field for links with the address of the page a person is on. */
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { bookmarkletOf } from '../../../src/views/settings/settings-page.tsx'

/** Where the bookmark leads on a page, and the value that a browser would show instead of the page. */
function clicked(origin: string, page: string) {
  const location = { href: page }
  const shown: unknown = runInNewContext(bookmarkletOf(origin).replace('javascript:', ''), { location })
  return { to: location.href, shown }
}

it('the bookmark opens the field with the address of the page, whatever is in it', () => {
  const page = `https://videos.example/watch?v=1&t=2#a'"`
  const { to, shown } = clicked('https://backlot.example', page)
  expect(new URL(to).searchParams.get('url')).toBe(page)
  expect(to).toMatch(/^https:\/\/backlot\.example\/channels\/new\?url=/)
  expect(shown).toBeUndefined()
})

it('no name of this site ends the text in the bookmark', () => {
  expect(clicked(`https://a'b"c.example`, 'https://videos.example/').to).toContain(`https://a'b"c.example/channels/new`)
})
