/** The service's own look at a host that refused something: only what it sees here makes a pause for everyone. */
import type { Task } from 'graphile-worker'
import { feeds_prefix, forgetRefusals, pauseHost } from '../../src/db/queue/host-pauses.ts'
import { LookAtHostJob } from '../../src/schema/jobs.ts'
import type { Parts } from '../worker/parts.ts'

export const lookAtHost =
  ({ sql, look, log }: Pick<Parts, 'sql' | 'look' | 'log'>): Task =>
  async (payload, { abortSignal }) => {
    const { host } = LookAtHostJob.parse(payload)
    const name = host.startsWith(feeds_prefix) ? host.slice(feeds_prefix.length) : host
    const refusal = await look(name, abortSignal)
    if (!refusal) return forgetRefusals(sql, host)
    await pauseHost(sql, host, refusal)
    log.warn({ host, asked_s: refusal.asked_s }, 'a host refuses us and rests for everyone')
  }
