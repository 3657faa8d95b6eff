/**
 * As a process: a role of the service for which the small YouTube is the real one: `role-with-youtube.ts worker`. Everything else is
 * as in `src/main.ts`, so that a test can kill it as it would the real one. SMALL_YOUTUBE_PORT: the port of the small YouTube.
 */
import { env } from 'node:process'
import '../../../src/runtime/modules.ts'

const { startRole } = await import('../../../src/roles.ts')
const { policyFor } = await import('../media/small-youtube/policy.ts')
await startRole({
  policyOf: ({ ALLOWED_ADDRESSES }) => policyFor(Number(env.SMALL_YOUTUBE_PORT), ALLOWED_ADDRESSES),
  listing_pause_s: 0,
  host_pause_seconds: 0,
})
