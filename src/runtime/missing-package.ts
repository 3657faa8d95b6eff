/**
 * Ends a program that misses a package with one sentence, where Node prints a stack. It is loaded before the program: as the first module
 * of an entrance that imports the rest later, or with `node --import`.
 */
import process from 'node:process'

/** Undefined: the message of another fault. Half a package has a path in its place. */
export function missingPackageIn(message: string): string | undefined {
  const [, name] =
    /^Cannot find (?:package|module) '(?:[^']*\/node_modules\/)?((?:@[^/']+\/)?[^./'][^/']*)/.exec(message) ?? []
  return name && `A package is missing: ${name}. Run npm ci.`
}

process.on('uncaughtExceptionMonitor', ({ message }) => {
  const sentence = missingPackageIn(message)
  if (sentence === undefined) return
  console.error(sentence)
  process.exit(1)
})
