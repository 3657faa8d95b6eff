import { expect, it } from 'vitest'
import { LineFacts } from '../../../src/views/parts/about-video.tsx'
import { Thumbnail } from '../../../src/views/parts/thumbnails.tsx'
import { facts, video } from '../../support/app/samples.ts'

it.each([
  ['short', '12:04'],
  ['long', '1:02:33'],
  ['live', 'Live now'],
  ['upcoming', 'Upcoming'],
  ['recording', '2:00:00'],
] as const)('the picture of a %s video shows it in one place, hidden from screen readers', (fact, words) => {
  const html = String(<Thumbnail video={{ ...facts[fact], thumbnail_url: null }} />)
  expect(html).toMatch(/^<span class="thumbnail" aria-hidden="true">/)
  expect(html.match(/class="length[^>]*>([^<]*)/)?.[1]).toBe(words)
})

it('a picture has no badge while the length is not known', () => {
  for (const duration_seconds of [null, 0])
    expect(String(<Thumbnail video={video({ duration_seconds })} />)).not.toContain('length')
})

it.each([
  ['short', '<span class="spoken">12 minutes 4 seconds. </span>'],
  ['live', '<span class="spoken">Live now. </span>'],
  ['upcoming', '<span class="spoken">Upcoming. </span>'],
  ['members', '<span class="spoken">1 minute. </span><span class="tag">Members only</span> '],
  ['adult', '<span class="tag">Age-restricted</span> '],
  ['private', '<span class="tag">Private</span> '],
  ['lost', '<span class="tag">No longer on the site</span> '],
  ['unlisted', ''],
] as const)('the line of a %s video says in words what is known', (fact, html) => {
  expect(String(<LineFacts video={facts[fact]} />)).toBe(html)
})
