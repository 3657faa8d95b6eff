/** Orders the test files so that the processors stay busy. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { waiting } from './rest.ts'

/** Sorts as Vitest does, then spreads the waiting files of `rest` among its other files. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const [others, of_rest] = parted(await super.sort(files), ({ project }) => project.name === 'rest')
    return [...others, ...spread(of_rest)]
  }
}

/** Spreads the waiting files over the first three quarters of the list, so that none of them starts last. */
function spread(files: TestSpecification[]): TestSpecification[] {
  const [busy, waits] = parted(files, ({ moduleId }) => waiting.some(file => moduleId.endsWith(`/${file}`)))
  const [shorter, longest] = parted(busy, takesLong)
  return [...placed(waits, 0.75), ...placed([...longest, ...shorter], 1)]
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file)
}

/** Vitest takes the size of a file for its length until it knows better. Each of these has four lines, and takes long. */
const takesLong = ({ moduleId }: TestSpecification) => /\/test\/browser\/pages-of-[^/]+$/.test(moduleId)

const parted = (files: TestSpecification[], belongs: (file: TestSpecification) => boolean) =>
  [files.filter(file => !belongs(file)), files.filter(belongs)] as const

const placed = (files: TestSpecification[], end: number) =>
  files.map((file, nth) => ({ file, place: (nth / files.length) * end }))
