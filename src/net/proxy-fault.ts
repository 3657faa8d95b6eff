/** How the proxy of the operator can be at fault, in sentences that contain neither its address nor its password. */
import { DomainError } from '../errors.ts'

/** `away`: it does not answer as a proxy does. `password`: it wants another one. `refused`: its rules forbid an address or a port. */
export type ProxyTrouble = 'away' | 'password' | 'refused'

/** What people read. */
const sentences: Record<ProxyTrouble, string> = {
  away: 'The proxy of this service does not answer. We try again until it does.',
  password: 'The proxy of this service refuses our password. Ask your administrator to check DOWNLOAD_PROXY.',
  refused: 'The proxy of this service refuses this connection. Ask your administrator to check its rules.',
}

/** An HTTP proxy often allows CONNECT to port 443 only. */
export const refusedConnect = (port: number): string =>
  `The proxy of this service refuses connections to port ${port}. Ask your administrator to allow CONNECT to all ports there, or to use a SOCKS5 proxy.`

/** What an administrator reads. */
export const remedies: Record<ProxyTrouble, string> = {
  away: 'The proxy of DOWNLOAD_PROXY does not answer, so downloads wait. Start it, or correct DOWNLOAD_PROXY.',
  password:
    'The proxy of DOWNLOAD_PROXY refuses our user or password, so downloads wait. Correct them in DOWNLOAD_PROXY.',
  refused:
    'The proxy of DOWNLOAD_PROXY refuses connections by its rules. Allow it all addresses and CONNECT to all ports, or use a SOCKS5 proxy.',
}

/** The proxy is to blame, and no site. `cause`: contains neither its address nor its password. */
export class ProxyFault extends DomainError {
  readonly fault: ProxyTrouble

  constructor(fault: ProxyTrouble, cause?: unknown, sentence = sentences[fault]) {
    super('feed_failed', sentence, { cause })
    this.fault = fault
  }
}
