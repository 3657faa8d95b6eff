/**
 * The modules of `static/page` and `static/player`. The import map gives every import the address with the version of the file, so a
 * browser keeps each module until that file changes.
 */
import type { Versions } from './context.ts'
import { assetPath } from './paths.ts'

/** The texts of both import maps. The Content-Security-Policy names their hashes. */
export const importMapsOf = (versions: Versions): string[] => [
  importMapOf(versions, false),
  importMapOf(versions, true),
]

/** One text on the pages with a player, and a shorter one on all others. */
export function importMapOf(versions: Versions, has_player: boolean): string {
  const imported = new Set([...versions.values()].flatMap(({ imports }) => imports))
  const needed = [...imported].filter(name => has_player || !isOfPlayer(name))
  const addresses = needed.map(name => [`/static/${name}`, assetPath({ versions }, name)])
  return JSON.stringify({ imports: Object.fromEntries(addresses) })
}

export const isOfPlayer = (name: string): boolean => name.startsWith('player/')

/** What these modules import, directly and through others. A browser that learns of all at once loads them at the same time. */
export function importedBy(versions: Versions, names: readonly string[]): string[] {
  const found = new Set(names)
  // A set also walks what is added on the way.
  for (const name of found) for (const imported of versions.get(name)?.imports ?? []) found.add(imported)
  return [...found].slice(names.length)
}
