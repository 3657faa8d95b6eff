/**
 * Requests the root of a host that refused a download, a feed, a look or captions. If the root refuses too, the host is paused for
 * everyone.
 */
import type { Task } from 'graphile-worker'
import { feeds_prefix, forgetRefusals, pauseHost } from '../../src/db/queue/host-pauses.ts'
import { CheckHostJob } from '../../src/schema/service/jobs.ts'
import { type TaskParts, taskOf } from './task-parts.ts'

export const checkHostTask = ({ sql, checkHost, log }: Pick<TaskParts, 'sql' | 'checkHost' | 'log'>): Task =>
  taskOf(CheckHostJob, async ({ host }, signal) => {
    const name = host.startsWith(feeds_prefix) ? host.slice(feeds_prefix.length) : host
    const refusal = await checkHost(name, signal)
    if (!refusal) return forgetRefusals(sql, host)
    await pauseHost(sql, host, refusal)
    log.warn({ host, retry_after_s: refusal.retry_after_s }, 'a host refuses us and is paused for everyone')
  })
