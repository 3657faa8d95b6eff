/**
 * Claims about any input. Each is tried with 1,000 inputs, or with `few_runs` or `fewest_runs` where one input takes long. Where
 * `FUZZ_SECONDS` is given, each is tried with new inputs for an equal share of it. Each says its seed and how often it was tried. An
 * input that fails becomes a named example in the ordinary tests.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { env } from 'node:process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seed } from '../support/run/holds.ts'

/** `undefined`: an ordinary run of the tests. */
const seconds = env.FUZZ_SECONDS === undefined ? undefined : Number(env.FUZZ_SECONDS)

const files = readdirSync('test/fuzz').filter(name => name.endsWith('.test.ts'))
const claims = files.flatMap(name => readFileSync(`test/fuzz/${name}`, 'utf8').match(/^\s*claim\($/gm) ?? []).length
const share_ms = ((seconds ?? 0) * 1000) / claims
/** Where seconds are given, the time limit ends a claim, not the number of runs. */
const limits = (runs: number) =>
  seconds === undefined ? { numRuns: runs } : { numRuns: 1e9, interruptAfterTimeLimit: share_ms }

/** Inputs for a claim whose every input takes milliseconds. */
export const few_runs = 200
/** Inputs for a claim whose every input takes ten milliseconds or more. */
export const fewest_runs = 50

/**
 * Checks one claim about any input. `runs`: the number of inputs where `FUZZ_SECONDS` is not given. The formatter puts `claim(` at the
 * end of its line, and those lines are counted.
 */
export function claim<T>(sentence: string, property: fc.IRawProperty<T>, runs = 1000): void {
  it(sentence, { timeout: share_ms + 120_000 }, async () => {
    const result = await fc.check(property, {
      seed,
      ...limits(runs),
      endOnFailure: env.SHRINK === '0',
    })
    console.log(`fuzz: ${result.numRuns} × ${sentence} (SEED=${seed})`)
    if (result.failed) throw new Error(await fc.asyncDefaultReportMessage(result), { cause: result.errorInstance })
    expect(result.numRuns, 'no run fits into the share').toBeGreaterThan(0)
  })
}

/** Text of every kind: plain, of the whole of Unicode, with controls, long. */
export const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(...'\u0000\u0007\u001b[31m\u007f\u009b\r\n\t \u2028\u202e\ufeff\ufffd"\'<>&;/\\%'),
    maxLength: 30,
  }),
  fc.tuple(fc.string({ unit: 'binary', maxLength: 8 }), fc.nat(3000)).map(([unit, times]) => unit.repeat(times)),
)

/** A word of these letters. */
export const wordOf = (letters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength })

/** Some of these pieces in any order, with other text between them. */
export const madeOf = (pieces: string[], maxLength = 30) =>
  fc
    .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...pieces) }, { weight: 1, arbitrary: anyText }), {
      maxLength,
    })
    .map(parts => parts.join(''))
