/** Runs yt-dlp: with nothing of our environment, and with an egress proxy of its own as the only way out. */
import { chmod, rm } from 'node:fs/promises'
import type { AddressPolicy } from '../../net/addresses.ts'
import { openEgressProxy, type Pace } from '../../net/egress-proxy.ts'
import { type Failure, failures, proxyFailure } from '../failures/failure.ts'
import { secretsGiven } from '../operator/hidden-secrets.ts'
import { cleanFiles, hidingIn, withOperator } from '../operator/with-operator.ts'
import { environmentWithHome, proxyVariables, type ToolKind, type Tools } from './programs.ts'
import { runTool, type ToolEnd } from './run-tool.ts'
import { startTool, type ToolRun } from './start.ts'
import { forkYtdlp } from './warm.ts'

export type YtdlpRun = Omit<ToolRun, 'kind' | 'command' | 'env' | 'cwd' | 'inputs' | 'hide'> & {
  /** The default is `ask`. */
  kind?: ToolKind
  tools: Tools
  policy: AddressPolicy
  /** How fast yt-dlp may fetch. Absent: as fast as it can. */
  pace?: Pace | undefined
  /** The text of a Netscape file, for this run alone; in place of the operator's. */
  cookies?: string | undefined
}

/** `failure`: an address was refused, or the operator's proxy is at fault. Rejects when `signal` is aborted or `onLine` fails. */
export async function runYtdlp(
  folder: string,
  { tools, policy, pace, cookies, signal, ...run }: YtdlpRun,
): Promise<ToolEnd | { failure: Failure }> {
  const { operator } = tools.ytdlp
  const guarded = policy.of_ytdlp ?? policy
  const given = [...secretsGiven(operator, cookies), ...(guarded.secrets ?? [])]
  const env = await environmentWithHome(tools, folder)
  // yt-dlp also writes them into the info file, which other users of the machine could read with UMASK=022.
  if (given.length > 0) await chmod(folder, 0o700)
  const stop = new AbortController()
  let failure: Failure | undefined
  // yt-dlp would request the refused address a dozen times more, so yt-dlp is stopped. No site can cause this call, so a site's own 403 is
  // not taken for a refusal of the proxy.
  const onFault: Parameters<typeof openEgressProxy>[1] = fault => {
    failure ??= fault === 'address_refused' ? failures.refused_address : proxyFailure(fault)
    stop.abort()
  }
  const proxy = await openEgressProxy(guarded, onFault, pace)
  const hide = hidingIn(env.HOME, [...given, new URL(proxy.url).password], run.args)
  try {
    const tool: ToolRun = {
      kind: 'ask',
      ...run,
      args: await withOperator(run.args, env.HOME, operator, cookies),
      command: [...tools.leash, ...tools.ytdlp.command],
      cwd: folder,
      hide,
      env: { ...env, ...tools.ytdlp.env, ...proxyVariables(proxy.url) },
      signal: AbortSignal.any([signal, stop.signal]),
    }
    return await runTool(tool, async () => (await forkYtdlp(tools, tool)) ?? startTool(tool))
  } catch (cause) {
    if (failure && cause === stop.signal.reason && !signal.aborted) return { failure }
    throw cause
  } finally {
    await proxy.close()
    try {
      // The home has the cookies that sites set, which are hidden too.
      if (given.length > 0) await cleanFiles(folder, hide)
    } finally {
      // The folder of the run is kept where an attempt can be resumed.
      await rm(env.HOME, { recursive: true, force: true })
    }
  }
}
