/** Finds out whether a yt-dlp takes what its operator adds. Asks no site. */
import { addressPolicy } from '../../net/addresses.ts'
import { isolation } from '../ask/command.ts'
import { runHelper } from '../ask/helper.ts'
import { cleaned } from '../failures/failure.ts'
import type { Operator } from '../operator/options.ts'
import type { Tools } from '../process/programs.ts'
import { knows } from '../process/version.ts'

/** A sentence about the first thing that is wrong; `undefined`: it takes everything, or there is nothing. */
export async function tryOperator(tools: Tools): Promise<string | undefined> {
  const { operator, version } = tools.ytdlp
  if (!operator) return undefined
  if (operator.plugins && !knows(version, '--no-plugin-dirs'))
    return `yt-dlp ${version} is too old for YTDLP_PLUGINS. Update it to 2025.01.26 or newer.`
  const lines: string[] = []
  const ended = await runHelper({
    tools,
    policy: addressPolicy([]),
    signal: AbortSignal.timeout(longest_ms),
    longest_ms,
    // Makes all that a run needs, prints a list that we do not need, and ends.
    args: [...isolation(version), '--list-impersonate-targets'],
    onLine: line => void lines.push(line),
  })
  const broken = lines.find(line => line.startsWith(import_fault))
  if (broken) {
    const why = lines.slice(lines.indexOf(broken)).find(line => /^\w+(Error|Exception)\b/.test(line)) ?? ''
    return `A plugin in YTDLP_PLUGINS cannot be loaded by yt-dlp ${version}: ${cleaned(`${broken.slice(import_fault.length)}: ${why}`)}`
  }
  if ('exit' in ended && ended.exit === 0) return undefined
  const said = cleaned(lines.findLast(line => /error/i.test(line)) ?? '')
  return `yt-dlp ${version} does not start with YTDLP_CONFIG and YTDLP_PLUGINS: ${withoutValues(said, operator)}`
}

const longest_ms = 60_000

/** A value may be a secret. */
const withoutValues = (said: string, { options }: Operator) =>
  options.reduce((text, { value = '' }) => (value.length > 3 ? text.replaceAll(value, '…') : text), said)

/** Source: yt-dlp's `plugins.py`, `load_plugins`. */
const import_fault = 'Error while importing module '
