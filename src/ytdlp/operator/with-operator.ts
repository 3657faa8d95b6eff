/**
 * Adds to one run of yt-dlp what its operator and its person bring: options and plugins of the operator, and cookies. Options and cookies
 * are written into files that only our own user can read, because every user of the machine can read argument lists.
 */
import { readFileSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quoted } from './config-words.ts'
import { type Hide, hidingOf, isAddress } from './hidden-secrets.ts'
import type { Operator, OperatorOption } from './options.ts'

/**
 * Returns the arguments of the run. `home`: a folder that is removed when the run has ended. `cookies`: the text of a Netscape file; a
 * person's take the place of the operator's. yt-dlp writes into the file, so each run has one of its own.
 */
export async function withOperator(
  args: string[],
  home: string,
  operator: Operator | undefined,
  cookies = operator?.cookies,
): Promise<string[]> {
  const joined = joinedWith(args, operator)
  if (cookies !== undefined) {
    const file = join(home, 'cookies.txt')
    await writePrivate(file, first_line.test(cookies) ? cookies : `# Netscape HTTP Cookie File\n${cookies}`)
    joined.options.push({ name: '--cookies', value: file })
  }
  if (joined.options.length === 0) return joined.args
  const file = join(home, 'operator.conf')
  const lines = joined.options.map(({ name, value }) => (value === undefined ? name : quoted(`${name}=${value}`)))
  await writePrivate(file, `${lines.join('\n')}\n`)
  const has_secret = joined.options.some(({ name }) => sent_to_sites.includes(name))
  return ['--config-locations', file, ...(has_secret ? withPlugins(joined.args, await addKeeper(home)) : joined.args)]
}

/** Options whose values ffmpeg would get as arguments. */
const sent_to_sites = ['--cookies', '--add-headers']

/** Keeps cookies and headers out of the arguments of ffmpeg. Returns the folder of the plugin. */
async function addKeeper(home: string): Promise<string> {
  // A version that does not know `--no-plugin-dirs` looks here.
  const folder = join(home, '.config/yt-dlp/plugins')
  const place = join(folder, 'backlot/yt_dlp_plugins/postprocessor')
  await mkdir(place, { recursive: true })
  await copyFile(keeper, join(place, 'keep_cookies.py'))
  return folder
}

/** Hides also the cookies that sites set in the run, which the plugin notes before the next request. Arguments as of `hidingOf`. */
export function hidingIn(home: string, secrets: string[], said: string[]): Hide {
  const file = join(home, 'set-cookies.txt')
  const hideGiven = hidingOf(secrets, said)
  let hideSet: Hide = text => text
  let read = 0
  return text => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (size > read) {
      read = size
      const values = readFileSync(file, 'utf8').split('\n')
      hideSet = hidingOf(
        values.filter(value => !isAddress(value)),
        said,
      )
    }
    return hideSet(hideGiven(text))
  }
}

const keeper = fileURLToPath(new URL('./keep-cookies.py', import.meta.url))

/** yt-dlp also looks at the usual places of the system and of Python, unless it is told before that there are none. */
const withPlugins = (args: string[], folder: string): string[] =>
  args.flatMap(arg => (arg === no_plugins ? [arg, '--plugin-dirs', folder] : [arg]))

const no_plugins = '--no-plugin-dirs'

/** yt-dlp refuses a file that begins otherwise. */
const first_line = /^#( Netscape)? HTTP Cookie File/

const writePrivate = (file: string, text: string) => writeFile(file, text, { mode: 0o600, flag: 'wx' })

/**
 * An option of the operator's takes the place of ours of that name: yt-dlp reads a configuration first, and the last option counts. Of the
 * arguments for an extractor, both remain, and ours count where both give one.
 */
export function joinedWith(
  args: string[],
  operator: Operator | undefined,
): { args: string[]; options: OperatorOption[] } {
  if (!operator) return { args, options: [] }
  const { plugins, options } = operator
  const names = new Set(options.map(({ name }) => name))
  const operator_args = new Map(options.filter(isExtractor).map(({ value = '' }) => partsOf(value)))
  const kept: string[] = []
  const end = args.includes('--') ? args.indexOf('--') : args.length
  for (let n = 0; n < end; n++) {
    const [arg = '', value = ''] = args.slice(n, n + 2)
    if (arg === extractor_args) {
      const [extractor, own_value] = partsOf(value)
      const operator_value = operator_args.get(extractor)
      if (operator_value === undefined) kept.push(arg, value)
      else operator_args.set(extractor, `${operator_value};${own_value}`)
      n++
    } else if (names.has(arg)) n++
    else kept.push(arg)
  }
  const others = options.filter(option => !isExtractor(option))
  const merged = [...operator_args].map(([extractor, value]) => ({
    name: extractor_args,
    value: `${extractor}:${value}`,
  }))
  return {
    args: [...(plugins ? withPlugins(kept, plugins.folder) : kept), ...args.slice(end)],
    options: [...others, ...merged],
  }
}

const extractor_args = '--extractor-args'
const isExtractor = ({ name }: OperatorOption) => name === extractor_args

/** yt-dlp ignores the case of an extractor's name. */
function partsOf(value: string): [extractor: string, args: string] {
  const at = value.indexOf(':')
  return [value.slice(0, at).toLowerCase(), value.slice(at + 1)]
}

/** yt-dlp's info file, in the folder of a run. */
export const info_file = 'about.info.json'

/** Larger files are removed: nothing reads them. In bytes. */
const max_file_bytes = 32 * 1024 * 1024

/**
 * Takes secrets out of the info file and the subtitles in the folder of a run, which is kept for the next attempt. yt-dlp writes the
 * cookies for a site, and headers, into the info file for each format.
 */
export async function cleanFiles(folder: string, hide: Hide): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(name => name === info_file || name.startsWith('subtitles.'))) {
    const file = join(folder, name)
    try {
      const { size, mode } = await stat(file)
      if (size > max_file_bytes) throw new Error('the file is too large')
      const text = await readFile(file, 'utf8')
      const clean = name === info_file ? cleanInfo(text, hide) : hide(text)
      await writeFile(`${file}.clean`, clean, { mode: name === info_file ? 0o600 : mode })
      await rename(`${file}.clean`, file)
    } catch {
      // yt-dlp was ended while it wrote the file. The next attempt writes another one.
      await Promise.all([rm(file, { force: true }), rm(`${file}.clean`, { force: true })])
    }
  }
}

/** A header that has lost a part could not be sent, so it is left out; the next run of yt-dlp gets headers of its own. */
const cleanInfo = (info: string, hide: Hide): string =>
  JSON.stringify(
    JSON.parse(info, (name, value) => {
      if (/^(set-)?cookies?$/i.test(name)) return undefined
      if (name === 'http_headers')
        return Object.fromEntries(Object.entries(Object(value)).filter(([, sent]) => !String(sent).includes('…')))
      if (typeof value === 'string') return hide(value)
      // A language is a key, which a site chooses too.
      const is_object = Object(value) === value && !Array.isArray(value)
      return is_object ? Object.fromEntries(Object.entries(value).filter(([key]) => hide(key) === key)) : value
    }),
  )
