/** The order of the test files, in which the processors are busy all the time. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { waiting } from './rest.ts'

/** As Vitest sorts them, but those of `rest` that mostly wait are spread among its others. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const of_rest = ({ project }: TestSpecification) => project.name === 'rest'
    const sorted = await super.sort(files)
    return [...sorted.filter(file => !of_rest(file)), ...spread(sorted.filter(of_rest))]
  }
}

/** The last of those that wait comes after three quarters of the others, which then end about when it does. */
function spread(files: TestSpecification[]): TestSpecification[] {
  const waits = ({ moduleId }: TestSpecification) => waiting.some(file => moduleId.endsWith(`/${file}`))
  const placed = (some: TestSpecification[], end: number) =>
    some.map((file, nth) => ({ file, place: (nth / some.length) * end }))
  return [
    ...placed(files.filter(waits), 0.75),
    ...placed(
      files.filter(file => !waits(file)),
      1,
    ),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file)
}
