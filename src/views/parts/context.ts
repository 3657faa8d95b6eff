/** What every page is told besides its own data. */
import type { Flash } from '../../schema/flash.ts'
import type { Theme } from '../../schema/forms.ts'

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
