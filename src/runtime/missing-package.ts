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

process.on('uncaughtExceptionMonitor', (fault: unknown) => {
  const sentence = fault instanceof Error ? missingPackageIn(fault.message) : undefined
  // A service that runs has a handler, and stops in order.
  if (sentence === undefined || process.listenerCount('uncaughtException') > 0) return
  console.error(sentence)
  process.exit(1)
})
