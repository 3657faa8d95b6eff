/** Says whether the operator's proxy works, for the health page. */
import type { OperatorProxy } from '../../net/operator-proxy.ts'
import { remedies } from '../../net/proxy-fault.ts'
import type { WorkerReport } from '../../schema/service/health.ts'

/** Milliseconds for which an answer counts. */
const counts_ms = 20_000

/** Gives the last answer at once, because a heartbeat must not wait for a proxy that hangs; and asks again if the answer is old. */
export function proxyReporter({ kind, trouble }: Pick<OperatorProxy, 'kind' | 'trouble'>) {
  let found: Awaited<ReturnType<typeof trouble>>
  let asked_at: number | undefined
  return (): NonNullable<WorkerReport['proxy']> => {
    const now = performance.now()
    if (asked_at === undefined || now - asked_at > counts_ms) {
      asked_at = now
      void trouble().then(answer => {
        found = answer
      })
    }
    return { kind, trouble: found ? remedies[found] : null }
  }
}
