/** The address of a stylesheet, script or icon. It changes with the content, so browsers may cache it for good. */
import type { PageContext } from './context.ts'

export function assetPath({ versions }: Pick<PageContext, 'versions'>, name: string): string {
  const version = versions.get(name)
  return version ? `/static/${name}?v=${version}` : `/static/${name}`
}
