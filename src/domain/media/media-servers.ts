/**
 * The media servers of a person: adding, changing, testing and removing them. The key of one is stored encrypted and never shown. Tests per
 * hour are limited, because a server may belong to a stranger.
 */
import { randomUUID } from 'node:crypto'
import { seal, unseal } from '../../auth/sealed.ts'
import type { Limits } from '../../db/account/limits.ts'
import type { Library } from '../../db/library.ts'
import type { StoredServer } from '../../db/media/media-servers.ts'
import { DomainError, noRoomFor, wrongAt } from '../../errors.ts'
import {
  type MediaServer,
  type MediaServerChange,
  type MediaServerRequest,
  type MediaServerTest,
  max_media_servers,
  no_key_for_servers,
} from '../../schema/media/media-server.ts'
import type { ServerOpener } from '../../servers/kinds.ts'
import { type Server, ServerFault } from '../../servers/server.ts'
import { requireFewTries } from '../account/sign-in.ts'
import type { SecretKey } from '../downloads/site-cookies.ts'
import { orThrow } from '../get.ts'

export const max_server_tests_an_hour = 10

/** SECRET_KEY, and what opens a server. */
export type ServerAccess = { secret_key: SecretKey; openServer: ServerOpener }
/** With the limit of tests. */
export type ServerManager = ServerAccess & { limits: Limits }

/** With the address, so that a key is never sent to another one. */
const purposeOf = ({ user_id }: Library, { server_id, address }: { server_id: string; address: string }) =>
  `key of ${user_id} for media server ${server_id} at ${address}`

/** Throws `conflict`. */
export async function addServer(
  secret_key: SecretKey,
  library: Library,
  { kind, address, key, person = null }: MediaServerRequest,
): Promise<MediaServer> {
  const server_id = randomUUID()
  const sealed_key = sealed(secret_key, purposeOf(library, { server_id, address }), key)
  const added = await library.servers.add({ server_id, kind, address, sealed_key, person })
  if (added === 'full') throw noRoomFor(max_media_servers, 'media servers', 'Remove')
  return added
}

/** Throws `not_found`, `invalid` or `conflict`. */
export async function changeServer(
  secret_key: SecretKey,
  library: Library,
  server_id: string,
  { key, ...changes }: MediaServerChange,
): Promise<MediaServer> {
  const before = await getServer(library, server_id)
  const { address = before.address } = changes
  if (address !== before.address && key === undefined)
    throw wrongAt('key', 'Enter the key again: the saved one is only for the address with which it was entered.')
  const sealed_key = key === undefined ? undefined : sealed(secret_key, purposeOf(library, { server_id, address }), key)
  const changed = await library.servers.change(server_id, { ...changes, sealed_key })
  return orThrow(changed, noSuchServer)
}

/** Throws `not_found`. */
export async function removeServer(library: Library, server_id: string): Promise<void> {
  if (!(await library.servers.remove(server_id))) throw noSuchServer()
}

/** Asks the server now. One that works is exchanged with soon, whatever was wrong before. Throws `not_found` or `too_many`. */
export async function testServer(
  manager: ServerManager,
  library: Library,
  server_id: string,
): Promise<MediaServerTest> {
  const server = await getServer(library, server_id)
  await requireFewTries(manager.limits, { [`media-server:${library.user_id}`]: max_server_tests_an_hour }, 3600)
  try {
    await openStored(manager, library, server).check()
  } catch (fault) {
    if (!(fault instanceof ServerFault)) throw fault
    return { works: false, detail: fault.message }
  }
  await library.servers.change(server_id, {})
  return { works: true, detail: 'The server answers and takes the key.' }
}

/** Throws `ServerFault` if its key cannot be read. */
export function openStored(
  { secret_key, openServer }: ServerAccess,
  library: Library,
  server: StoredServer,
  signal?: AbortSignal,
): Server {
  if (secret_key === undefined) throw new ServerFault(no_key_for_servers)
  const key = unseal(secret_key, purposeOf(library, server), server.sealed_key)
  if (key === undefined)
    throw new ServerFault('The key cannot be read any more, because SECRET_KEY has changed. Enter it again.', true)
  return openServer({ ...server, key }, signal)
}

/** Throws `not_found`. */
export const getServer = async (library: Library, server_id: string): Promise<StoredServer> =>
  orThrow(await library.servers.find(server_id), noSuchServer)

function sealed(secret_key: SecretKey, purpose: string, key: string): Uint8Array {
  if (secret_key === undefined) throw new DomainError('conflict', no_key_for_servers)
  return seal(secret_key, purpose, key)
}

const noSuchServer = () => new DomainError('not_found', 'There is no such media server.')
