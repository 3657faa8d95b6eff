/** The parts of `oidc-provider` that tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Context = {
    path: string
    body: unknown
    oidc: {
      result?: { consent?: { grantId?: string } }
      client: { clientId: string }
      account: { accountId: string }
      provider: Provider
    }
  }
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }

  export class Provider {
    constructor(issuer: string, configuration: object)
    Grant: new (of: {
      clientId: string
      accountId: string
    }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(): (model: string) => object
}
