/** On disk: a small Debian repository, with packages made for one test. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'

export type TestPackage = { name: string; version?: string; depends?: string; files: Record<string, string> }

/** The line of a sources.list that names it. */
export async function repositoryOf(folder: string, packages: TestPackage[]): Promise<string> {
  await mkdir(folder, { recursive: true })
  const entries: string[] = []
  for (const { name, version = '1', depends, files } of packages) {
    const root = join(folder, name)
    const control = [
      `Package: ${name}`,
      `Version: ${version}`,
      'Architecture: all',
      'Maintainer: none <none@tests.example>',
    ]
    if (depends) control.push(`Depends: ${depends}`)
    control.push('Description: a test')
    await mkdir(join(root, 'DEBIAN'), { recursive: true })
    await writeFile(join(root, 'DEBIAN/control'), `${control.join('\n')}\n`)
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(root, dirname(path)), { recursive: true })
      await writeFile(join(root, path), text)
      await chmod(join(root, path), 0o755)
    }
    await execa('dpkg-deb', ['-b', root, join(folder, `${name}.deb`)])
    const bytes = await readFile(join(folder, `${name}.deb`))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    entries.push([...control, `Filename: ./${name}.deb`, `Size: ${bytes.length}`, `SHA256: ${sha256}`].join('\n'))
  }
  await writeFile(join(folder, 'Packages'), `${entries.join('\n\n')}\n`)
  return `deb [trusted=yes] copy:${folder} ./`
}
