/**
 * Runs yt-dlp for a question that downloads nothing: in an empty folder, with the bare environment of a download, and through an
 * egress proxy of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressPolicy } from '../../net/addresses.ts'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import { environment, proxied } from './environment.ts'
import type { ToolKind } from './limits.ts'
import { type Ended, runTool, type ToolRun } from './process.ts'
import type { Tools } from './tools.ts'

export type HelperRun = Pick<ToolRun, 'args' | 'signal' | 'silence_ms' | 'longest_ms' | 'onLine'> & {
  /** The default is `ask`. */
  kind?: ToolKind
  tools: Tools
  policy: AddressPolicy
}

/** `refused`: the proxy refused an address. Rejects when `signal` is aborted or `onLine` fails. */
export const runHelper = (run: HelperRun): Promise<Ended | 'refused'> => inNewFolder(folder => runHelperIn(folder, run))

/** Removes the folder afterwards. */
export async function inNewFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-ask-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same in a folder of the caller, for runs that leave files to each other. */
export async function runHelperIn(
  folder: string,
  { tools, policy, signal, ...run }: HelperRun,
): Promise<Ended | 'refused'> {
  const refused = new AbortController()
  const proxy = await openEgressProxy(policy, () => refused.abort())
  try {
    return await runTool({
      kind: 'ask',
      ...run,
      command: [...tools.leash, ...tools.ytdlp.command],
      cwd: folder,
      env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy.url) },
      signal: AbortSignal.any([signal, refused.signal]),
    })
  } catch (cause) {
    if (cause === refused.signal.reason && !signal.aborted) return 'refused'
    throw cause
  } finally {
    await proxy.close()
  }
}

/** Settles with the tools, or with `undefined` when `signal` is aborted first. */
export const unlessAborted = <T>(found: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  Promise.race([
    found,
    new Promise<undefined>(resolve => {
      if (signal.aborted) resolve(undefined)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    }),
  ])
