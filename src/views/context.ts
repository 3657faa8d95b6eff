/** What every page is told besides its own data. */

/** A message about what was just done. */
export type Flash = { kind: 'done' | 'problem'; text: string }

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
}
