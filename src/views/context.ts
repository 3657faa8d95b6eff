/** What every page is told besides its own data. */

import type { Undo } from '../schema/undo.ts'

/** A message about what was just done, and how to take it back. */
export type Flash = { kind: 'done' | 'problem'; text: string; undo?: Undo | undefined }

export type Theme = 'system' | 'light' | 'dark'

export type PageContext = {
  /** `null`: signed out. */
  user: { username: string } | null
  /** Without query. */
  path: string
  flash: Flash[]
  theme: Theme
  now: Date
  registration_open: boolean
  versions: Versions
}

/** Of each asset, by its name. */
export type Versions = ReadonlyMap<string, string>
