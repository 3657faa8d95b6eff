import { expect, it } from 'vitest'
import { isolated } from '../../../src/schema/values/words.ts'

it.each(['Kitchen', 'Über Käse 3', '料理'])('%s reorders nothing and stays as it is', name =>
  expect(isolated(name)).toBe(name),
)

it.each(['وثائقيات', 'Kitchen \u202e3', 'בישול', '𞤀𞤣𞤤𞤢𞤥'])('%s is isolated from the words around it', name =>
  expect(isolated(name)).toBe(`\u2068${name}\u2069`),
)

it('a name cannot end its isolation', () => {
  expect(isolated('a\u2069\u202eb\u2067')).toBe('\u2068a\u202eb\u2069')
})
