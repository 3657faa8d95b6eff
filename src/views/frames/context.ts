/** The data that every page gets in addition to its own. */
import type { OnEveryPage, Theme } from '../../schema/account/account.ts'
import type { Flash } from '../../schema/http/flash.ts'
import type { User } from '../../schema/values/user.ts'

export type PageContext = {
  /** `null`: signed out. */
  user: Pick<User, 'username' | 'role'> | null
  /** A proxy signed the person in, and signs them out. */
  by_proxy: boolean
  /** The path of the request, without its query. */
  path: string
  flash: Flash[]
  theme: Theme
  now: Date
  registration_open: boolean
  versions: Versions
  /** Hours in which what was deleted can be restored; 0: it cannot. */
  bin_hours: number
  /** Whether the fold of channels in the column is open. */
  channels_open: boolean
} & OnEveryPage

/** The version of each asset, and the modules that it imports, by its name. */
export type Versions = ReadonlyMap<string, { version: string; imports: readonly string[] }>

/** The address of an asset, with its version. */
export function assetPath({ versions }: Pick<PageContext, 'versions'>, name: string): string {
  const version = versions.get(name)?.version
  return version ? `/static/${name}?v=${version}` : `/static/${name}`
}
