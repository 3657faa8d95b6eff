/** Where the page finds a stylesheet, script or icon: under an address that changes with it, so that it may be kept. */
import type { PageContext } from './context.ts'

export function assetPath({ versions }: Pick<PageContext, 'versions'>, name: string): string {
  const version = versions.get(name)
  return version ? `/static/${name}?v=${version}` : `/static/${name}`
}
