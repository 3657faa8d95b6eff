/** The digest of everything that decides what the image is and how it is shown, except the source: every test runs that. */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'

const inputs = [
  'Dockerfile',
  '.dockerignore',
  'compose.yaml',
  'package.json',
  'package-lock.json',
  'src/healthy.ts',
  'src/main.ts',
  'src/runtime/pulse.ts',
  'src/runtime/user.ts',
  'src/db/postgres/embedded-p*.ts',
  'src/db/postgres/embedded-setup.ts',
  'src/ytdlp/tools/{apt,debian}.ts',
  'test/image/*.ts',
]

const noted = new URL('inputs.sha256', import.meta.url)

export async function digestOfInputs(): Promise<string> {
  const sum = createHash('sha256')
  for (const path of globSync(inputs).toSorted()) {
    const text = await readFile(path, 'utf8')
    sum.update(`${path}\n${/^package.*json$/.test(path) ? ofTheImage(text) : text}\n`)
  }
  return sum.digest('hex')
}

/** The image has no npm, which reads the scripts, and no development packages. */
function ofTheImage(text: string): string {
  const isLeftOut = (key: string, value: unknown) =>
    key === 'scripts' || key === 'devDependencies' || (value as { dev?: boolean } | null)?.dev === true
  return JSON.stringify(JSON.parse(text), (key, value) => (isLeftOut(key, value) ? undefined : value))
}

export const hasChanged = async () =>
  (await readFile(noted, 'utf8').catch(() => '')).trim() !== (await digestOfInputs())

export const recordInputs = (digest: string) => writeFile(noted, `${digest}\n`)
