/**
 * The entrance of `main.ts` as a module that exports `fetch`, for `deno serve`, which listens itself: `--host` and `--port` must say what
 * HOST and PORT say. A stop breaks off open answers.
 */

import { environment } from './config/env-file.ts'
import { denoHandler, type Fetch, urlOf } from './runtime/serve.ts'
import { becomeUser } from './runtime/user.ts'

becomeUser(environment)
const { startRole } = await import('./roles.ts')
/** The latest one: the service opens again after it has lost its database. */
const opened: { fetch?: Fetch } = {}
await startRole({
  async serve(fetch, host, port) {
    opened.fetch = fetch
    return { url: urlOf(host, port), close: async () => {} }
  },
})
const answer: Fetch = (request, from) => {
  if (!opened.fetch) throw new Error('This role answers no requests. Run deno serve with web or all.')
  return opened.fetch(request, from)
}
export default { fetch: denoHandler(answer) }
