/** Why our own fetcher could not read a list, as the same kind of failure that yt-dlp's errors become. Pure. */
import type { DomainError } from '../../errors.ts'
import { asksToWait, SiteRefusal } from '../../feed/fetch/answer.ts'
import { type Failure, failures } from '../../ytdlp/run/failure.ts'

export function failureOfFetch(fault: DomainError): Failure {
  if (fault.code === 'address_refused') return failures.refused_address
  return { ...kindOf(fault), sentence: fault.message, detail: '' }
}

function kindOf(fault: DomainError): Pick<Failure, 'kind' | 'reason'> {
  if (!(fault instanceof SiteRefusal)) return { kind: 'transient', reason: 'site_trouble' }
  if (asksToWait(fault)) return { kind: 'rate_limited', reason: 'rate_limited' }
  if ([404, 410].includes(fault.answered)) return { kind: 'permanent', reason: 'not_found' }
  if ([401, 403].includes(fault.answered)) return { kind: 'operator', reason: 'sign_in' }
  return { kind: 'transient', reason: 'site_trouble' }
}
