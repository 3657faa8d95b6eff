/** The packages that a private apt counts as installed, in the format of `/var/lib/dpkg/status`. Pure. */

/**
 * The packages that every Debian has: the essential ones, apt, and their dependencies. Other packages of this machine are left
 * out, because they may be removed one day.
 */
export function installedBase(status: string): string {
  const packages = packagesIn(status)
  const provided = new Map([...packages.values()].flatMap(({ name, provides }) => provides.map(other => [other, name])))
  const wanted = [...packages.values()].filter(({ essential }) => essential).map(({ name }) => name)
  const base = new Set<string>()
  for (const names = ['apt', ...wanted]; names.length > 0; ) {
    const asked = names.pop() ?? ''
    const found = packages.get(asked) ?? packages.get(provided.get(asked) ?? '')
    if (!found || base.has(found.name)) continue
    base.add(found.name)
    names.push(...found.depends)
  }
  return [...base].map(name => `${packages.get(name)?.text}\n`).join('\n')
}

/** Makes apt count a package as installed, in a version that satisfies every dependency. */
export const notNeeded = (name: string): string =>
  `Package: ${name}\nStatus: install ok installed\nArchitecture: all\nMulti-Arch: foreign\nVersion: 99:0\nMaintainer: none\nDescription: not needed\n`

type Package = { name: string; essential: boolean; depends: string[]; provides: string[]; text: string }

function packagesIn(status: string): Map<string, Package> {
  const all = status.split(/\n{2,}/).flatMap(text => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(text)?.[1]
    const name = field('Package')
    if (!name || field('Status') !== 'install ok installed') return []
    const depends = namesIn(`${field('Depends') ?? ''},${field('Pre-Depends') ?? ''}`)
    const provides = namesIn(field('Provides') ?? '')
    return [{ name, essential: field('Essential') === 'yes', depends, provides, text: text.trim() }]
  })
  // When a package is listed for two architectures, the first one is the machine's own.
  return new Map(all.toReversed().map(found => [found.name, found]))
}

/** `libc6 (>= 2.34), debconf (>= 0.5) | debconf-2.0, python3:any` */
const namesIn = (relation: string): string[] => relation.match(/(?<=^|[,|]\s*)[a-z0-9][a-z0-9+.-]+/g) ?? []
