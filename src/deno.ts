/** The entrance of `main.ts` as a module that exports `fetch`, for `deno serve`, whose `--host` and `--port` are those of HOST and PORT. */
import process from 'node:process'
import { denoHandler, type Fetch, urlOf } from './runtime/serve.ts'
import { becomeUser } from './runtime/user.ts'

becomeUser(process.env)
const { startRole } = await import('./roles.ts')
const app = Promise.withResolvers<Fetch>()
await startRole({
  async serve(fetch, host, port) {
    app.resolve(fetch)
    return { url: urlOf(host, port), close: async () => {} }
  },
})
export default { fetch: denoHandler(await app.promise) }
