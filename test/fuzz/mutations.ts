/** Mutates real documents: cuts, doubles and mixes them, and adds texts that confuse parsers. */
import fc from 'fast-check'

/** Positions are fractions of the document, so that a step fits a document of any length. */
type Step =
  | { kind: 'cut' | 'double' | 'reverse'; at: number; length: number }
  | { kind: 'repeat'; at: number; length: number; times: number }
  | { kind: 'insert'; at: number; bytes: Uint8Array }
  | { kind: 'flip'; at: number; byte: number }
  | { kind: 'end'; at: number }
  | { kind: 'mix'; at: number; other: number; from: number; length: number }

const at = fc.double({ min: 0, max: 1, noNaN: true })
const length = fc.oneof(fc.nat(20), fc.nat(2000))

const stepsWith = (words: string[]): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({ kind: fc.constantFrom('cut' as const, 'double' as const, 'reverse' as const), at, length }),
    fc.record({ kind: fc.constant('repeat' as const), at, length, times: fc.nat(5000) }),
    fc.record({
      kind: fc.constant('insert' as const),
      at,
      bytes: fc.oneof(
        fc.constantFrom(...words).map(word => new TextEncoder().encode(word)),
        fc.string({ unit: 'binary', maxLength: 20 }).map(text => new TextEncoder().encode(text)),
        fc.uint8Array({ maxLength: 8 }),
      ),
    }),
    fc.record({ kind: fc.constant('flip' as const), at, byte: fc.nat(255) }),
    fc.record({ kind: fc.constant('end' as const), at }),
    fc.record({ kind: fc.constant('mix' as const), at, other: fc.nat(1000), from: at, length }),
  )

/** No document grows beyond this length, because the tests limit the time. */
export const most_bytes = 200_000

export const mutated = (documents: Uint8Array[], words: string[]): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.nat(documents.length - 1), fc.array(stepsWith(words), { maxLength: 12 }))
    .map(([which, steps]) =>
      steps.reduce((body, step) => taken(body, step, documents), documents[which] ?? new Uint8Array()),
    )

function taken(body: Uint8Array, step: Step, documents: Uint8Array[]): Uint8Array {
  const place = Math.floor(step.at * body.length)
  const [before, after] = [body.subarray(0, place), body.subarray(place)]
  const around = (...middle: Uint8Array[]) => new Uint8Array(Buffer.concat([before, ...middle]).subarray(0, most_bytes))
  switch (step.kind) {
    case 'cut':
      return around(after.subarray(step.length))
    case 'double':
      return around(after.subarray(0, step.length), after)
    case 'reverse':
      return around(after.slice(0, step.length).reverse(), after.subarray(step.length))
    case 'repeat': {
      const piece = after.subarray(0, step.length)
      const times = Math.min(step.times, Math.floor(most_bytes / Math.max(piece.length, 1)))
      return around(...Array.from({ length: times }, () => piece), after)
    }
    case 'insert':
      return around(step.bytes, after)
    case 'flip':
      return around(new Uint8Array([step.byte]), after.subarray(1))
    case 'end':
      return around()
    case 'mix': {
      const other = documents[step.other % documents.length] ?? new Uint8Array()
      const start = Math.floor(step.from * other.length)
      return around(other.subarray(start, start + step.length), after)
    }
  }
}
