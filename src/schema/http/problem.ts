/** The answer of the JSON API to a request that fails, and the sentences in it. */
import { z } from 'zod'

/** RFC 9457. */
export const Problem = z
  .object({
    type: z.string().describe('Always `about:blank`: `status` and `title` say which error it is.'),
    title: z.string().describe('The status in words.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('A sentence for people: what is wrong and what to do.'),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .describe('One sentence for each invalid field; `video_ids.0` is the first item of a list.'),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>

type Issue = z.core.$ZodRawIssue

const type_names: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  date: 'a date',
  null: 'null',
}

/** A sentence for what zod finds wrong, where a schema has none of its own. */
function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This is missing.'
        : `This should be ${type_names[issue.expected] ?? 'something else'}.`
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
        ? 'This must be an address that starts with http:// or https://.'
        : 'This has the wrong format.'
    case 'unrecognized_keys':
      return no_such_field
    default:
      return 'This is not valid.'
  }
}

/** About each field that the schema does not have. */
export const no_such_field = 'There is no such field. Remove it.'

function bound(words: 'at least' | 'at most', origin: string, count: number): string {
  if (origin === 'string') {
    if (words === 'at least' && count === 1) return 'This must not be empty.'
    return `Use ${words} ${count} ${count === 1 ? 'character' : 'characters'}.`
  }
  if (origin === 'array' || origin === 'set') return `Use ${words} ${count} ${count === 1 ? 'item' : 'items'}.`
  return `Use a number of ${words} ${count}.`
}

/** Gives these sentences to every schema in this process from now on. */
export const speakPlainly = () => z.config({ customError: sentenceOf })
