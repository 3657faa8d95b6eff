/** A template of names in MEDIA_DIR is refused with a sentence about what is wrong in it. */
import { expect, it } from 'vitest'
import { MediaNames, MediaNamesForm, templateOf, usual_names } from '../../../src/schema/values/media-names.ts'

const faultOf = (text: string) => MediaNames.safeParse(text).error?.issues[0]?.message

it.each([
  usual_names,
  '{channel}/{title}',
  '{group}/{channel}/{season}/{date} {title} [{id}]',
  '{title} [{id}]',
  '{channel}/s{season} e{episode}',
  '{channel}/{season}{episode}',
  'Été 2026/{channel}/a/b/{id}',
])('the template %s is taken', template => {
  expect(faultOf(template)).toBeUndefined()
})

it.each([
  ['', 'is no name'],
  ['/{title}', 'is no name'],
  ['{channel}/', 'is no name'],
  ['{channel}//{title}', 'is no name'],
  ['../{title}', '“..” is no name'],
  ['{channel}/./{title}', '“.” is no name'],
  ['{channel}/ . /{title}', '“ . ” is no name'],
  ['C:{title}', 'Leave out “:”'],
  ['{channel}\\{title}', 'Leave out “\\”'],
  ['{title}?', 'Leave out “?”'],
  ['{title}\u0000', 'Leave out characters that are not shown.'],
  ['{title}\n{id}', 'Leave out characters that are not shown.'],
  ['{title}\u202E', 'Leave out characters that are not shown.'],
  ['{chanel}/{title}', '“{chanel}” is not known. Use {channel}, {group}, {title}, {date}, {season}, {episode}, {id}.'],
  ['{Title}', '“{Title}” is not known.'],
  ['{}/{title}', '“{}” is not known.'],
  ['{constructor}/{title}', '“{constructor}” is not known.'],
  ['{title', 'A brace in “{title” is not closed or not opened.'],
  ['title}/{id}', 'A brace in “title}” is not closed or not opened.'],
  ['{{title}}', 'A brace in “{{title}}” is not closed or not opened.'],
  ['a/b/c/d/e/{title}', 'Use at most 4 folders.'],
  ['x'.repeat(201), 'Use at most 200 letters.'],
  [`${'–'.repeat(25)}{title}`, 'has too much text of its own.'],
  ['{title} {title}', '“{title}” is twice in one name.'],
  ['{title}/{channel}', 'The name of the file, after the last “/”, needs {title}, {id}, or {season} with {episode}.'],
  ['{title}/{season}', 'needs {title}, {id}, or'],
  ['{channel}/S{season}E{episode}-{title}', 'Write a space after {episode}.'],
  ['{channel}/S{season}E{episode}{id}', 'Write a space after {episode}.'],
])('the template %j is refused: %s', (template, sentence) => {
  expect(faultOf(template)).toContain(sentence)
})

it.each([
  ['S{season}E{episode} {title}', true],
  ['{title} - s{season}.e{episode}', true],
  ['{season}x{episode} {title}', false],
  ['{title}', false],
])('the file name %s has a number that media servers read: %s', (file, is_numbered) => {
  expect(templateOf(`{channel}/${file}`).is_numbered).toBe(is_numbered)
})

it('in a form, an empty field and the usual template are the usual one', () => {
  for (const media_names of ['', '  ', usual_names])
    expect(MediaNamesForm.parse({ media_names }).media_names).toBeNull()
  expect(MediaNamesForm.parse({ media_names: ' {title} ' }).media_names).toBe('{title}')
})
