/** A real OpenID provider on 127.0.0.1, and browsers that visit it. Every browser is signed in as `visitor`. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { type OpenIdProvider, openIdProvider, type ProviderSettings } from '../../../src/auth/oidc.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'

export const callback = 'http://localhost/login/oidc/callback'
const secret = 'a secret of at least thirty-two characters'

/** Seconds. Given, because the provider prints a notice for each one that is not. */
export const ttl = { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 }

export async function startProvider() {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.destroy()
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url?.split('?')[0] ?? '')
    answer(request, response)
  })
  await new Promise<void>(listening => void server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  // Given, because the provider warns about the memory that it takes itself.
  const adapter = createMemoryAdapter()
  const provider = {
    issuer,
    /** The paths that were requested. */
    requests,
    /** Who signs in; `undefined`: the person cancels. */
    visitor: 'alice' as string | undefined,
    /** What the provider says about its accounts, by subject. */
    claims: {} as Record<string, object>,
    /** Changes answers, by the path of the request. */
    tamper: {} as Record<string, (answer: Record<string, string>) => object>,

    /** Starts again, with another key. */
    restart(more: object = {}): void {
      const made = new Provider(issuer, { ...configurationOf(provider), adapter, ...more })
      made.use(async (context, next) => {
        await next()
        const change = provider.tamper[context.path]
        if (change) context.body = change(context.body as Record<string, string>)
      })
      const usual = made.callback()
      answer = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return usual(request, response)
        const { visitor } = provider
        const result = visitor
          ? { login: { accountId: visitor } }
          : { error: 'access_denied', error_description: '<b>no' }
        void made.interactionFinished(request, response, result)
      }
    },
    /** Breaks off every connection, until it is started again. */
    goAway(): void {
      answer = (_, response) => response.destroy()
    },
    /** The service's side of it. `now`: the clock of the service. */
    seen: (settings: Partial<ProviderSettings> = {}, now?: () => number): OpenIdProvider => {
      const given = { OIDC_CLIENT_ID: 'backlot', OIDC_CLIENT_SECRET: secret, OIDC_LABEL: 'Club login' }
      const made = openIdProvider({ OIDC_ISSUER: issuer, ...given, ...settings }, addressPolicy([]), now)
      if (!made) throw new Error('there is an issuer')
      return made
    },
    stop: () =>
      new Promise<void>(stopped => {
        server.close(() => stopped())
        server.closeAllConnections()
      }),
  }
  provider.restart()
  return provider
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
/** Two, used in turns: to make a key takes longer than most tests. */
const keys = [newKey(), newKey()]

function configurationOf(provider: { claims: Record<string, object> }) {
  keys.reverse()
  const key = { ...keys[0], kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' }
  return {
    clients: [
      {
        client_id: 'backlot',
        client_secret: secret,
        redirect_uris: [callback, 'http://localhost/backlot/login/oidc/callback'],
        post_logout_redirect_uris: ['http://localhost/login', 'http://localhost/backlot/login'],
      },
    ],
    jwks: { keys: [key] },
    ttl,
    cookies: { keys: ['a key of cookies'] },
    claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, ...provider.claims[sub] }),
    }),
    loadExistingGrant: async ({ oidc }: { oidc: ContextOfGrant }) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.account.accountId })
      grant.addOIDCScope('openid profile groups')
      await grant.save()
      return grant
    },
  }
}

type ContextOfGrant = { provider: Provider; client: { clientId: string }; account: { accountId: string } }

/** Follows a link to the provider, with a new session there, until it leads back. Returns the address to which it leads. */
export async function visit(url: string): Promise<URL> {
  const jar = new Map<string, string>()
  let next = new URL(url)
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    next = new URL(location, next)
    if (next.origin === 'http://localhost') return next
  }
  throw new Error('the provider never led back')
}
