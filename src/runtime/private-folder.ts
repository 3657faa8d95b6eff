/** Finds a folder for code that is run later. No other user may write to it. */
import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import process from 'node:process'

/** The first of these folders that is ours alone, created if its parent exists; `undefined`: none is. Never throws. */
export const privateFolder = (folders: string[]): string | undefined => folders.find(isOurs)

function isOurs(folder: string): boolean {
  try {
    create(folder)
    accessSync(folder, constants.W_OK)
    const found = lstatSync(folder)
    // Windows has no such permissions: there a folder belongs to the user whose folder it is in.
    const is_private = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
    return found.isDirectory() && is_private
  } catch {
    return false
  }
}

function create(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault
  }
}
