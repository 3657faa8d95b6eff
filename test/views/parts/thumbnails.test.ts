import { expect, it } from 'vitest'
import { initialOf } from '../../../src/views/parts/thumbnails.tsx'

it('initialOf finds the first letter of a name, behind quotes and signs', () => {
  expect([initialOf('  “äpfel”'), initialOf('4K walks'), initialOf('★'), initialOf('日本')]).toEqual([
    'Ä',
    '4',
    '·',
    '日',
  ])
})
