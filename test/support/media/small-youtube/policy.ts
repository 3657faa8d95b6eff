/** An address policy for which the small YouTube is the real one. Also used by processes that a test starts. */
import { type AddressPolicy, addressPolicy } from '../../../../src/net/addresses.ts'

const names = /(^|\.)(youtube\.com|youtu\.be|ytimg\.com|ggpht\.com|googlevideo\.com)$/

/** `port`: of the small YouTube on this machine. All other names are judged as usual. */
export function policyFor(port: number, allowed: string[]): AddressPolicy {
  const usual = addressPolicy(allowed)
  return {
    resolve: async (hostname, asked) =>
      names.test(hostname) ? [{ address: '127.0.0.1', family: 4, port }] : usual.resolve(hostname, asked),
  }
}
