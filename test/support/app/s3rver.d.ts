/** The parts of s3rver that the tests use. The package has no types. */
declare module '@20minutes/s3rver' {
  type Context = {
    method: string
    path: string
    query: Record<string, string | undefined>
    status: number
    body: unknown
    type: string
    /** `false`: the step answers with `res`. */
    respond: boolean
    res: import('node:http').ServerResponse
  }
  type Options = {
    address: string
    port: number
    directory: string
    silent: boolean
    configureBuckets: { name: string; configs?: string[] }[]
  }
  export default class S3rver {
    constructor(options: Options)
    middleware: ((context: Context, next: () => Promise<unknown>) => Promise<unknown>)[]
    httpServer: import('node:http').Server
    run(): Promise<{ port: number }>
  }
}
