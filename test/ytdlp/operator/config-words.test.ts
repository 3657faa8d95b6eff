import process from 'node:process'
import { execa } from 'execa'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quoted, wordsIn } from '../../../src/ytdlp/operator/config-words.ts'
import { pythonOn } from '../../../src/ytdlp/tools/machine.ts'
import { holds } from '../../support/run/holds.ts'

it.each([
  ['-r 1M\n', ['-r', '1M']],
  ['# a comment\n--limit-rate 1M # another\n', ['--limit-rate', '1M']],
  ['--user-agent "Mozilla/5.0 (X11)"', ['--user-agent', 'Mozilla/5.0 (X11)']],
  ["--add-headers 'X-A: it\"s'", ['--add-headers', 'X-A: it"s']],
  ['--referer https://a.example/#b', ['--referer', 'https://a.example/']],
  ['a\\ b "c\\"d\\e" \'f\\\'', ['a b', 'c"d\\e', 'f\\']],
  ['""', ['']],
  ['\r\n \t ', []],
  ['"open', undefined],
  ['end\\', undefined],
])('the text %j has the words %j', (text, words) => {
  expect(wordsIn(text)).toEqual(words)
})

it('any text has the words that Python finds in it, which yt-dlp uses', async () => {
  const pieces = fc.constantFrom('a', '--b=', ' ', '\n', '\r', '\t', '#', "'", '"', '\\', 'é', '🎬', '=', ';', ':')
  const text = fc.array(pieces, { maxLength: 12 }).map(some => some.join(''))
  const script = `
import json, shlex, sys
def words(text):
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return None
print(json.dumps([words(text) for text in json.load(sys.stdin)]))`
  const python = (await pythonOn(process.env.PATH ?? '')) ?? 'python3'
  // One process for many texts.
  const many = fc.array(text, { minLength: 500, maxLength: 500 })

  await holds(
    fc.asyncProperty(many, async texts => {
      const { stdout } = await execa(python, ['-c', script], { input: JSON.stringify(texts) })
      expect(texts.map(text => wordsIn(text) ?? null)).toEqual(JSON.parse(stdout))
    }),
    { runs: 4, shrinks: false },
  )
})

it('a quoted word is read as that word', () => {
  const isRead = fc.property(fc.string({ unit: 'binary' }), word => {
    expect(wordsIn(quoted(word))).toEqual([word])
  })
  expect(() => holds(isRead)).not.toThrow()
})
