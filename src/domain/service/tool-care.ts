/**
 * Keeps yt-dlp up to date from inside a worker: looks for a newer version every day, and earlier when downloads fail in a way that a newer
 * version may fix; rolls back when the new version is worse. The decisions are in `ytdlp/tools/renewal.ts` and `tool-outcomes.ts`.
 */
import { resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Everyone } from '../../db/everyone.ts'
import { failuresSinceSwitch, hasFailedSince } from '../../db/service/everyone/tool-outcomes.ts'
import { every } from '../../runtime/every.ts'
import type { Log } from '../../runtime/log.ts'
import { type ToolConfig, toolOptionsOf } from '../../ytdlp/tools/lazy-tools.ts'
import type { ToolOptions } from '../../ytdlp/tools/machine.ts'
import { isCheckDue, isFresh } from '../../ytdlp/tools/renewal.ts'
import { renewTools, rollBackTools, setupOf } from '../../ytdlp/tools/tools.ts'
import { readRenewal } from '../../ytdlp/tools/versions.ts'

const check_every_ms = 60_000

export type ToolCare = {
  config: Pick<Config, keyof ToolConfig>
  sql: Everyone
  log: Log
  /** Called after each check, so that a new yt-dlp is noticed whichever process fetched it. */
  onCheck(): Promise<unknown>
  /** Options that a test replaces, such as the release host. */
  more?: Partial<ToolOptions>
}

export type RunningToolCare = {
  stop(): void
  /** Looks for a newer version although no check is due, because an administrator wants it. */
  checkNow(): void
}

/** Runs `checkTools` at once, and then every minute until it is stopped. Does nothing where yt-dlp is not ours to renew. */
export function startToolCare(care: ToolCare): RunningToolCare {
  const { YTDLP_PATH, INSTALL_TOOLS } = care.config
  if (YTDLP_PATH !== undefined || INSTALL_TOOLS === 'off') return { stop() {}, checkNow() {} }
  let checking = false
  let is_wanted = false
  const check = async () => {
    if (checking) return
    checking = true
    do {
      const wanted = is_wanted
      is_wanted = false
      await checkTools(care, new Date(), wanted).catch((fault: unknown) =>
        care.log.warn({ err: fault }, 'could not check yt-dlp'),
      )
      // It may be wanted while a check runs.
    } while (is_wanted)
    checking = false
  }
  const timer = every(check_every_ms, check)
  void check()
  return {
    stop: () => clearInterval(timer),
    checkNow() {
      is_wanted = true
      void check()
    },
  }
}

/** One check: rolls back, renews, or changes nothing. `is_wanted`: looks for a newer version although no check is due. */
export async function checkTools(
  { config, sql, log, onCheck, more }: ToolCare,
  now: Date,
  is_wanted = false,
): Promise<void> {
  const options: ToolOptions = { ...toolOptionsOf(config), log, ...more }
  const state = await readRenewal(resolve(config.DATA_DIR, 'tools'))
  const { current, previous, switched_at, checked_at } = state

  if (current !== null && previous !== null && switched_at !== null && isFresh(state, now)) {
    const failures = await failuresSinceSwitch(sql, current, switched_at)
    if (failures > 0) {
      const why = `${failures} downloads failed since the switch, from sites that worked before`
      await rollBackTools(await setupOf(options), why)
      await onCheck()
      return
    }
  }

  const is_failing = await hasFailedSince(sql, checked_at)
  if (is_wanted || isCheckDue(state, is_failing, now)) {
    if (is_failing) log.warn('Downloads fail in a way that a newer yt-dlp may fix. Looking for one.')
    const renewed = await renewTools(await setupOf(options))
    if (renewed !== 'busy' && renewed.outcome === 'up_to_date')
      log.info(`yt-dlp ${renewed.current} is the newest version.`)
  }
  await onCheck()
}
