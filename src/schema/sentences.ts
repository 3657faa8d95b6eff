/** What zod finds wrong, as plain sentences, wherever a schema has no better one of its own. */
import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const things: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  date: 'a date',
  null: 'null',
}

export function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This is missing.'
        : `This should be ${things[issue.expected] ?? 'something else'}.`
    case 'too_small':
      return bound('at least', issue.origin, Number(issue.minimum))
    case 'too_big':
      return bound('at most', issue.origin, Number(issue.maximum))
    case 'invalid_value':
      return issue.values.length === 1
        ? `This should be ${String(issue.values[0])}.`
        : `Use one of ${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return issue.format === 'url'
        ? 'This is no address that starts with http:// or https://.'
        : 'This is not written as it should be.'
    case 'unrecognized_keys':
      return `There should be no ${issue.keys.map(key => key.slice(0, 50)).join(', ')} here.`
    default:
      return 'This is not right.'
  }
}

function bound(words: 'at least' | 'at most', origin: string, count: number): string {
  if (origin === 'string') {
    if (words === 'at least' && count === 1) return 'Write something here.'
    return `Use ${words} ${count} ${count === 1 ? 'character' : 'characters'}.`
  }
  if (origin === 'array' || origin === 'set') return `Name ${words} ${count}.`
  return `Use a number of ${words} ${count}.`
}

/** From now on, for every schema in this process. */
export const speakPlainly = () => z.config({ customError: sentenceOf })
