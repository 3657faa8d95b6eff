/** Control characters in addresses, and the site of an address. */
import { describe, expect, it } from 'vitest'
import { hasControls, siteOf } from '../../../src/schema/values/address.ts'

describe('hasControls', () => {
  it.each([
    'https://a.example/x\ry',
    'https://a.example/x%0Dy',
    'https://a.example/x%0ay',
    'https://a.example/%00',
    'https://a.example/?q=%1B%5B31m',
    'https://a.example/#%7f',
    'https://a.example/%C2%85',
    'https://a.example/%c2%9B',
    'https://a.example/%E2%80%A8',
    'https://a.example/?a=%e2%80%a9',
    'https://a.example/x%250Dy',
    'https://a.example/x%25250Dy',
    'https://a.example/x%2%350Dy',
    'https://a.example/x%E2%80%25A8%0A',
    // No real address is encoded this often, and decoding it takes time, so it counts as one.
    `https://a.example/%${'25'.repeat(20)}0A`,
    `https://a.example/%${'25'.repeat(20)}20`,
  ])('the address %j contains a control character', address => {
    expect(hasControls(address)).toBe(true)
  })

  it.each([
    'https://a.example/watch?v=1&list=2#t=3',
    'https://a.example/%C3%85ngstr%C3%B6m%20%26%20friends',
    'https://a.example/%E3%81%85%E3%82%8A',
    'https://a.example/%F0%9F%8E%AC.mp4',
    'https://a.example/100%25',
    'https://a.example/?next=%2525252520',
    'https://a.example/100%',
    'https://a.example/?next=https%3A%2F%2Fb.example%2F%2520',
    'https://a.example/sjis/%83A%83%85',
    'https://a.example/it%92s.mp4',
  ])('the address %j contains no control character', address => {
    expect(hasControls(address)).toBe(false)
  })
})

describe('siteOf', () => {
  it.each([
    ['https://www.youtube.com/watch?v=1', 'youtube.com'],
    ['https://m.youtube.com/watch?v=1', 'youtube.com'],
    ['HTTPS://Videos.Example:8443/a', 'videos.example'],
    ['http://[::1]:80/x', '[::1]'],
    ['ftp://a.example/', undefined],
    ['nothing', undefined],
  ])('the site of %s is %s', (address, site) => {
    expect(siteOf(address)).toBe(site)
  })
})
