/** Checks that every test asserts something: a test that only waits can fail only by a timeout. */
import { expect, it } from 'vitest'
import { type Node, nodesOf, type Source, sourcesIn } from './source.ts'

const all = await sourcesIn('test')
const sources = all.filter(({ path }) => /\.test\.tsx?$/.test(path))

it('every test asserts something', () => {
  expect(sources.flatMap(source => testsIn(source).filter(({ body }) => !asserts(body)))).toEqual([])
})

it('generated inputs are the same in every run', () => {
  const ours = ['test/support/run/holds.ts', 'test/fuzz/claims.ts']
  const found = all.filter(({ path, text }) => !ours.includes(path) && /\bfc\.(assert|check|sample)\(/.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

it('no test waits for a time to pass in a page', () => {
  const waiting = /\.waitForTimeout\(\d/
  const found = sources.filter(({ path, text }) => path.startsWith('test/browser/') && waiting.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

/** `expect`, and our functions that call it, such as `expectQuick`. */
const asserts = (body: string) => /\bexpect[A-Z]?\w*\s*[(.]/.test(body)

/** The calls of `it`, with or without `.each(…)` and the like; `it.each(…)` alone is not one. */
function testsIn(source: Source): { where: string; title: string; body: string }[] {
  return [...nodesOf(source)].flatMap(node => {
    if (node.type !== 'CallExpression' || !isIt(node.callee as Node)) return []
    const given = node.arguments as Node[]
    const work = given.find(({ type }) => /Function/.test(type))
    if (!work) return []
    const title = source.text.slice(given[0]?.start, given[0]?.end)
    return [{ where: source.path, title, body: source.text.slice(work.start, work.end) }]
  })
}

function isIt(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'it' || callee.name === 'test'
  if (callee.type === 'MemberExpression') return isIt(callee.object as Node)
  return callee.type === 'CallExpression' && isIt(callee.callee as Node)
}
