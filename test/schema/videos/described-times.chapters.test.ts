/** Chapters that a description names. */
import { describe, expect, it } from 'vitest'
import { chaptersIn } from '../../../src/schema/videos/described-times.ts'
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
    ['stretches without names', '0:00 - 1:30\n1:30 - 2:00'],
    ['times behind one dot', 'One 1.0:00\nTwo 1.1:30'],
    ['times beyond the end', '0:00 Start\n2:00:00 End'],
  ])('%s are none', (_, description) => {
    expect(found(description)).toEqual([])
  })

  it.each([
    ['a colon behind the time', '00:00: One\n01:30: Two'],
    ['numbers before the time', '1. 00:00 One\n2) 01:30 Two'],
    ['the time last', 'One 00:00\nTwo - 01:30'],
    ['stretches', '00:00 - 01:30 One\n01:30–02:00 Two'],
    ['a heading before the first time', 'Timestamps: 00:00 One\n01:30 Two'],
    ['a heading without a colon', '⏰ Times 00:00 One\n01:30 Two'],
    ['stretches behind the title', 'One 0:00-1:30\nTwo 1:30-2:00'],
    ['stretches in brackets', 'One (0:00 - 1:30)\nTwo (1:30 – 2:00)'],
    ['stretches in words', '0:00 to 1:30 One\n1:30 to 2:00 Two'],
    ['stretches in words of other languages', '0:00 bis 1:30 One\n1:30 до 2:00 Two'],
    ['circled numbers', '① 0:00 One\n② 1:30 Two'],
    ['numbers on keys', '1️⃣ 0:00 One\n2️⃣ 1:30 Two'],
    ['letters before the time', 'a) 0:00 One\nb) 1:30 Two'],
    ['Roman numbers', 'I. 0:00 One\nII. 1:30 Two'],
    ['milliseconds', '00:00:00.000 One\n00:01:30,500 Two'],
    ['Arabic digits', '٠:٠٠ One\n١:٣٠ Two'],
    ['Persian digits', '۰:۰۰ One\n۱:۳۰ Two'],
    ['Hindi digits', '०:०० One\n१:३० Two'],
    ['Tibetan digits', '༠:༠༠ One\n༡:༣༠ Two'],
    ['breaks of HTML', '0:00 One<br>1:30 Two<br />'],
    ['dots that lead to the time', 'One....0:00\nTwo ..... 1:30'],
    ['separators of lines', '0:00 One\u20281:30 Two'],
    ['digits of East Asian keyboards', '００：００ One\n０１：３０ Two'],
  ])('chapters are read with %s', (_, description) => {
    expect(found(description)).toEqual(['0 One', '90 Two'])
  })

  it.each([
    ['第1章 0:00 はじめに\n第2章 1:30 本題', ['0 第1章 はじめに', '90 第2章 本題']],
    ['Chapter 1 - 0:00 Intro\nChapter 2 - 1:30 Main', ['0 Chapter 1 - Intro', '90 Chapter 2 - Main']],
    ['Part 1: 0:00\nPart 2: 1:30', ['0 Part 1', '90 Part 2']],
    ['0:00 開幕 (3:45)\n1:30 intro (1:20)', ['0 開幕 (3:45)', '90 intro (1:20)']],
    ['0:00 verse 1:30 chorus\n2:00 solo', ['0 verse 1:30 chorus', '120 solo']],
    ['Intro [0:00] by Ann\nMain [1:30] by Bob', ['0 Intro by Ann', '90 Main by Bob']],
  ])('what is left of the line %j is the title', (description, chapters) => {
    expect(found(description)).toEqual(chapters)
  })

  it('one wrong time is left out, and the other times stay', () => {
    const right = ['0 A', '120 B', '180 C', '240 D']
    for (const typo of ['59:00 Oh', '99:00 Oh', '0:00 Oh', '2:99 Oh'])
      expect(found(`0:00 A\n${typo}\n2:00 B\n3:00 C\n4:00 D`)).toEqual(right)
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
