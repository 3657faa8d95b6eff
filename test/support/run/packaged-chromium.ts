/**
 * The Chromium of the npm registry, for machines without one: unpacked once into a folder, with its fonts and libraries.
 * `@sparticuz/chromium` is used because it is the one maintained package that carries the browser itself and the
 * libraries that a bare Debian lacks (NSS); other packages download the browser from their own host after the install.
 */
import { writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { execa } from 'execa'
import manifest from '../../../package.json' with { type: 'json' }
import { madeOnce } from './made-once.ts'

export type Chromium = { executable: string; env: Record<string, string> }

/** `null`: the package has none for this system. Several processes may ask at the same time. */
export async function packagedChromium(folder: string): Promise<Chromium | null> {
  if (platform() !== 'linux' || arch() !== 'x64') return null
  const place = resolve(folder, manifest.devDependencies['@sparticuz/chromium'])
  await madeOnce(place, aside => unpack(aside, place))
  return {
    executable: join(place, 'chromium'),
    env: { LD_LIBRARY_PATH: join(place, 'al2023/lib'), FONTCONFIG_PATH: join(place, 'fonts') },
  }
}

/** The package unpacks into the folder for temporary files, and unpacks its libraries only when it believes that it runs on AWS Lambda. */
async function unpack(aside: string, place: string): Promise<void> {
  const program = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  const env = { TMPDIR: aside, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await execa(execPath, ['--input-type=module', '--eval', program], { env, stdin: 'ignore' })
  await writeFile(join(aside, 'fonts/fonts.conf'), fontsIn(place))
}

/** The package's own configuration names folders of AWS Lambda. */
const fontsIn = (place: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(place, 'fonts')}</dir>
  <cachedir>${join(place, 'fonts-cache')}</cachedir>
</fontconfig>
`
