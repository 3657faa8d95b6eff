/** What a request needs to connect to exactly the addresses that the policy allowed for its host. */
import type { LookupFunction } from 'node:net'
import type { Address } from './addresses.ts'

/** Replaces the resolver when connecting, so that the name is not resolved a second time. */
export const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
