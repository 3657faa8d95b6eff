/**
 * Signs in at an OpenID provider: code flow with PKCE, state and nonce. Only this file uses `openid-client`, which is loaded when the first
 * person signs in by the provider, so a provider that is away delays neither the start nor a page.
 *
 * Every refusal is a sentence of ours: the texts of the provider, and of those who forge its answers, are never shown.
 */
import type { Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import type { Config } from '../config/config.ts'
import { DomainError } from '../errors.ts'
import type { AddressPolicy } from '../net/addresses.ts'
import { type ProviderFetch, providerFetch } from '../net/provider-fetch.ts'
import { loadedOnce } from '../runtime/cache.ts'
import { currentTime } from '../runtime/clock.ts'
import { namesOnePerson, type ProvenIdentity, type ProviderAttempt } from '../schema/account/identity.ts'

export interface OpenIdProvider {
  /** The words for the provider on pages. */
  readonly label: string
  /** Who acts in the log of the administration. */
  readonly actor: string
  /** Where the browser goes, and what is needed to judge its return. Throws `unavailable`. */
  begin(redirect_uri: string): Promise<{ url: string; attempt: ProviderAttempt }>
  /** `search`: the query with which the browser came back. Throws `unavailable` or `forbidden`; the cause is for the log. */
  finish(attempt: ProviderAttempt, search: string): Promise<ProvenIdentity>
  /** Where the browser ends its session at the provider. `undefined`: the provider does not offer it, or is away. */
  endSession(back: string): Promise<string | undefined>
}

export type ProviderSettings = Pick<
  Config,
  'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_LABEL' | 'OIDC_ADMIN_GROUP'
>

/** Seconds for one request to the provider. */
const timeout_s = 8
/** Seconds by which the clocks may differ. */
const clock_tolerance_s = 30
/** The provider makes the ID token during the callback, so an older ID token comes from a clock that is behind. */
const max_id_token_age_s = 300
/** The provider's document is kept for so long. Its keys are fetched for each sign-in, so a changed key is noticed at once. */
const document_kept_ms = 600_000

const openIdClient = loadedOnce(() => import('openid-client'))
type OpenIdClient = Awaited<ReturnType<typeof openIdClient>>

/** `undefined`: there is no provider. `now`: milliseconds of the wall clock. */
export function openIdProvider(
  settings: ProviderSettings,
  policy: AddressPolicy,
  now: () => number = () => currentTime().getTime(),
): OpenIdProvider | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id = '', OIDC_LABEL: label, OIDC_ADMIN_GROUP: group } = settings
  if (!issuer) return undefined
  const sentences = sentencesFor(label)
  const client_secret = { value: settings.OIDC_CLIENT_SECRET, by_post: false }
  const discover = discovery({ issuer, client_id, secret: client_secret, policy, now })
  const requireProvider = async (client: OpenIdClient) =>
    discover(client).catch((cause: unknown) => {
      throw new DomainError('unavailable', sentences.away, { cause })
    })

  return {
    label,
    actor: label === 'Single sign-on' ? new URL(issuer).host : label,

    async begin(redirect_uri) {
      const client = await openIdClient()
      const provider = await requireProvider(client)
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri,
        scope: scopeFor(provider.serverMetadata(), group !== undefined),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, attempt: { state, nonce, verifier, redirect_uri } }
    },

    async finish(attempt, search) {
      const client = await openIdClient()
      const provider = await requireProvider(client)
      try {
        const parts = { attempt, search, now, needs_groups: group !== undefined }
        return await proven(client, provider, parts).catch(cause => {
          // Nothing was used up: a provider judges the client before its code.
          if (!isClientRefused(client, cause) || client_secret.by_post) throw cause
          client_secret.by_post = true
          return proven(client, provider, parts)
        })
      } catch (cause) {
        throw refusalFor(client, cause, sentences)
      }
    },

    async endSession(back) {
      try {
        const client = await openIdClient()
        const provider = await discover(client)
        if (!provider.serverMetadata().end_session_endpoint) return undefined
        return client.buildEndSessionUrl(provider, { post_logout_redirect_uri: back }).href
      } catch {
        return undefined
      }
    },
  }
}

/** `by_post`: the provider has refused the usual way to send the secret of the client. */
type ClientSecret = { value: string | undefined; by_post: boolean }
type Discovery = { issuer: string; client_id: string; secret: ClientSecret; policy: AddressPolicy; now: () => number }

/** Reads the provider's document. A failure is not kept, so the next sign-in tries again; sign-ins that wait share one request. */
function discovery({ issuer, client_id, secret, policy, now }: Discovery) {
  const server = new URL(issuer)
  const send = providerFetch(issuer, policy)
  let known: { text: Promise<string>; until: number } | undefined

  const sendOrKnow = async (url: string, request: Parameters<ProviderFetch>[1]): Promise<Response> => {
    if (request.method !== 'GET' || !url.endsWith(document_path)) return send(url, request)
    if (!known || known.until <= now()) {
      const text = send(url, request).then(answer => {
        if (answer.status !== 200) throw new Error(`the provider answered ${answer.status}`)
        return answer.text()
      })
      known = { text, until: now() + document_kept_ms }
    }
    return new Response(await known.text, { headers: { 'content-type': 'application/json' } })
  }

  return async (client: OpenIdClient): Promise<Configuration> => {
    try {
      const metadata = { [client.clockTolerance]: clock_tolerance_s, [client.clockSkew]: skewOf(now) }
      return await client.discovery(server, client_id, metadata, clientAuth(client, secret), {
        [client.customFetch]: sendOrKnow as CustomFetch,
        timeout: timeout_s,
        // The token comes over an open connection if the operator says so, and its signature is checked in any case.
        execute: [
          ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
          client.enableNonRepudiationChecks,
        ],
      })
    } catch (fault) {
      known = undefined
      throw fault
    }
  }
}

const document_path = '/.well-known/openid-configuration'

/** The library reads the clock of the machine; tests give another one. */
const skewOf = (now: () => number): number => Math.round((now() - Date.now()) / 1000)

/**
 * Sends the secret in a header, as is usual. A client without a secret is a public one. Clients are registered for the header or for the
 * body, and some providers do not decode the header, so after a refusal the secret is sent in the body.
 */
function clientAuth(client: OpenIdClient, secret: ClientSecret) {
  if (secret.value === undefined) return client.None()
  const [basic, post] = [client.ClientSecretBasic(secret.value), client.ClientSecretPost(secret.value)]
  return (...[as, ...rest]: Parameters<typeof basic>) => {
    const offered = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return !secret.by_post && offered.includes('client_secret_basic') ? basic(as, ...rest) : post(as, ...rest)
  }
}

const isClientRefused = (client: OpenIdClient, cause: unknown): boolean =>
  cause instanceof client.ResponseBodyError && cause.error === 'invalid_client'

/** Some providers refuse a scope that they do not know. */
function scopeFor({ scopes_supported }: Readonly<ServerMetadata>, needs_groups: boolean): string {
  const knows_groups = scopes_supported === undefined || scopes_supported.includes('groups')
  return needs_groups && knows_groups ? 'openid profile groups' : 'openid profile'
}

type CallbackParts = { attempt: ProviderAttempt; search: string; now: () => number; needs_groups: boolean }

async function proven(
  client: OpenIdClient,
  provider: Configuration,
  { attempt: { state, nonce, verifier, redirect_uri }, search, now, needs_groups }: CallbackParts,
): Promise<ProvenIdentity> {
  const here = new URL(redirect_uri)
  here.search = search
  const tokens = await client.authorizationCodeGrant(provider, here, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('there is no ID token')
  const age_s = now() / 1000 - claims.iat
  if (age_s < -clock_tolerance_s || age_s > max_id_token_age_s) throw new ClocksDiffer()
  const lacks = claims.preferred_username === undefined || (needs_groups && claims.groups === undefined)
  const has_more = provider.serverMetadata().userinfo_endpoint !== undefined
  const more = lacks && has_more ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
  return identityIn({ ...more, ...claims })
}

class ClocksDiffer extends Error {}

const max_subject_characters = 500
const max_name_characters = 200

function identityIn({ iss, sub, ...claims }: { iss: string; sub: string } & Record<string, unknown>): ProvenIdentity {
  if (sub.length > max_subject_characters || !namesOnePerson(sub)) throw new Error('the subject names no one person')
  const names = [claims.preferred_username, claims.email, claims.name].filter(name => typeof name === 'string')
  const groups = [claims.groups].flat().filter(group => typeof group === 'string')
  const name = (names[0] ?? '').replace(/[\u0000-\u001f\u007f]/g, '').trim()
  return { issuer: iss, subject: sub, name: [...name].slice(0, max_name_characters).join(''), groups }
}

type Sentences = ReturnType<typeof sentencesFor>

const sentencesFor = (label: string) => ({
  away: `${label} does not answer. Try again later, or sign in with your password.`,
  cancelled: `The sign-in by ${label} was cancelled.`,
  clocks: `The clocks of ${label} and of this service differ. Ask your administrator to set them.`,
  refused: `${label} refused the sign-in. Try again, or ask your administrator.`,
  unfit: `The answer of ${label} cannot be trusted. Try again, or ask your administrator.`,
})

/** What the provider, or a request that pretends to come from it, did wrong, in a sentence. */
function refusalFor(client: OpenIdClient, cause: unknown, sentences: Sentences): DomainError {
  const { code = '' } = cause as { code?: string }
  const refuse = (sentence: string) => new DomainError('forbidden', sentence, { cause })
  if (cause instanceof ClocksDiffer || code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return refuse(sentences.clocks)
  if (cause instanceof client.AuthorizationResponseError)
    return refuse(cause.error === 'access_denied' ? sentences.cancelled : sentences.refused)
  if (cause instanceof client.ResponseBodyError) return refuse(sentences.refused)
  if (/^OAUTH_(?!TIMEOUT|ABORT|RESPONSE_IS_NOT_CONFORM)/.test(code) || !(cause instanceof client.ClientError))
    return refuse(sentences.unfit)
  return new DomainError('unavailable', sentences.away, { cause })
}
