/** Chapters that a description names, and where they are shown. */
import { describe, expect, it } from 'vitest'
import { chaptersIn } from '../../../src/views/watching/description.tsx'
import { expectQuick } from '../../support/app/quick.ts'

const found = (description: string, duration_seconds: number | null = 3600) =>
  chaptersIn({ description, duration_seconds }).map(({ start_seconds, title }) => `${start_seconds} ${title}`)

describe('chapters of a description', () => {
  it('lines that begin with a time are chapters', () => {
    expect(found('Today we bake.\n\n0:00 Start\n1:20 - The dough\n• [12:05] The oven (hot)\nThanks')).toEqual([
      '0 Start',
      '80 The dough',
      '725 The oven (hot)',
    ])
  })

  it.each([
    ['a single time', '0:00 Start'],
    ['times within sentences', 'See 0:10 for this.\nAnd 0:20 for that.'],
    ['times that begin late', '9:00 Doors\n10:30 Bread'],
    ['times without names', '0:00\n1:00'],
    ['times beyond the end', '0:00 Start\n2:00:00 End'],
  ])('%s are none', (_, description) => {
    expect(found(description)).toEqual([])
  })

  it.each([
    ['a colon behind the time', '00:00: One\n01:30: Two'],
    ['numbers before the time', '1. 00:00 One\n2) 01:30 Two'],
    ['the time last', 'One 00:00\nTwo - 01:30'],
    ['stretches', '00:00 - 01:30 One\n01:30–02:00 Two'],
    ['digits of East Asian keyboards', '００：００ One\n０１：３０ Two'],
  ])('chapters are read with %s', (_, description) => {
    expect(found(description)).toEqual(['0 One', '90 Two'])
  })

  it('a title may begin with the word of a time of day, or be an emoji', () => {
    expect(found('0:00 UTC offsets\n5:30 am Strand\n7:00 PM question\n9:00 h-index\n10:00 😀')).toEqual([
      ...['0 UTC offsets', '330 am Strand', '420 PM question', '540 h-index', '600 😀'],
    ])
  })

  it('the lengths of songs are no chapters', () => {
    expect(found('01. Song one 3:45\n02. Song two 4:10')).toEqual([])
  })

  it('a time that falls back is left out', () => {
    expect(found('0:00 a\n2:00 b\n1:00 c\n3:00 d')).toEqual(['0 a', '120 b', '180 d'])
  })

  it('a hostile description is read quickly', () => {
    expectQuick(1000, () => chaptersIn({ description: '0:00 '.repeat(200_000), duration_seconds: null }))
    expectQuick(1000, () => chaptersIn({ description: '0:00 a\n'.repeat(100_000), duration_seconds: null }))
  })
})
