/** A host of releases on loopback that answers like yt-dlp's: `latest` redirects to a tag, and each tag has its files. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMessage, generateKey, type PrivateKey, readPrivateKey, sign } from 'openpgp'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'

export type SigningKey = { public_key: string; private_key: PrivateKey }

export async function signingKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKey({ userIDs: [{ name: 'tests' }], format: 'armored' })
  return { public_key: publicKey, private_key: await readPrivateKey({ armoredKey: privateKey }) }
}

export const signatureOf = async (text: string, { private_key }: SigningKey): Promise<Buffer> => {
  const message = await createMessage({ binary: Buffer.from(text) })
  return Buffer.from(
    (await sign({ message, signingKeys: private_key, detached: true, format: 'binary' })) as Uint8Array,
  )
}

export type ReleaseHost = {
  url: string
  /** Every requested path, with its method. */
  requests: string[]
  /** By path, `/download/<version>/<file>`. */
  files: Map<string, string | Buffer>
  /** Publishes a yt-dlp, signed, as the latest. `name`: of its file; the one for machines with a Python unless given. */
  publish(version: string, ytdlp: string, key: SigningKey, name?: string): Promise<void>
  close(): void
}

export async function openReleaseHost(): Promise<ReleaseHost> {
  const files = new Map<string, string | Buffer>()
  const requests: string[] = []
  let latest: string | undefined
  const server = createServer((asked, reply) => {
    requests.push(`${asked.method} ${asked.url}`)
    if (asked.url === '/latest' && latest) return void reply.writeHead(302, { location: `/tag/${latest}` }).end()
    const body = files.get(asked.url ?? '')
    reply.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    files,
    async publish(version, ytdlp, key, name = 'yt-dlp') {
      const sums = `${createHash('sha256').update(ytdlp).digest('hex')}  ${name}\n`
      files.set(`/download/${version}/${name}`, ytdlp)
      files.set(`/download/${version}/SHA2-256SUMS`, sums)
      files.set(`/download/${version}/SHA2-256SUMS.sig`, await signatureOf(sums, key))
      latest = version
    },
    close: () => void server.close(),
  }
}

/** The real yt-dlp in a Python file that prints another version. */
export function ytdlpCalled(version: string, { ytdlp }: Tools): string {
  const command = JSON.stringify(ytdlp.command)
  return `import os, sys
if '--version' in sys.argv:
    print('${version}')
    sys.exit()
command = ${command}
os.environ.update(${JSON.stringify(ytdlp.env)})
os.execv(command[0], command + sys.argv[1:])
`
}

/** A Python file that does what the self-test asks of a yt-dlp and nothing else, in a tenth of the time. */
export const passingYtdlp = (version: string): string => `import sys
if '--version' in sys.argv:
    print('${version}')
    sys.exit()
import json, os, re
from urllib.parse import urljoin
from urllib.request import urlretrieve
film = os.path.join(sys.argv[sys.argv.index('-P') + 1], 'video.mp4')
urlretrieve(urljoin(sys.argv[-1], '/film.mp4'), film)
done = re.search(r'\\[backlot-done:\\w+\\]', ' '.join(sys.argv))
print(done.group() + json.dumps({'filepath': film}))
`

/** A yt-dlp that prints its version and can do nothing else. */
export const brokenYtdlp = (version: string): string => `import sys
if '--version' in sys.argv:
    print('${version}')
    sys.exit()
sys.exit('ERROR: Unable to extract anything')
`
