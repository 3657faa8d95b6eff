/**
 * Makes a process that root started run as PUID:PGID, and gives that user the folders of the service. It loads only what Node brings, so
 * that it can act before other code is loaded. Nothing changes where PUID and PGID are not set.
 */
import { chownSync, lchownSync, lstatSync, mkdirSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

type Environment = Record<string, string | undefined>
type User = { uid: number; gid: number }

/** What a start has to do. `warning`: a sentence for the operator, whose wish cannot be met. */
type Plan = { become?: User; warning?: string }

/** What the image sets. Another value was chosen by a person. */
const of_image = '1000'

/** Call this first. Ends the process with a sentence for wrong values. `read`: gives the environment of this process. */
export function becomeUser(read: () => Environment): void {
  try {
    const env = read()
    const { become, warning } = planOf(env, process.getuid?.())
    if (warning) console.error(warning)
    if (!become) return
    for (const folder of foldersOf(env)) giveOrSay(folder, become)
    change(become)
    env.HOME = resolve(env.DATA_DIR || '.data')
  } catch (fault) {
    console.error((fault as Error).message)
    process.exit(1)
  }
}

/** `uid`: of this process. Throws a sentence for wrong values. */
export function planOf({ PUID = '', PGID = '' }: Environment, uid: number | undefined): Plan {
  if (PUID === '' && PGID === '') return {}
  if (PUID === '' || PGID === '') throw wrong('PUID and PGID should both be set, or neither')
  const user = idIn('PUID', PUID, 1, 'a user that is not root')
  const group = idIn('PGID', PGID, 0, 'a group')
  if (uid === 0) return { become: { uid: user, gid: group } }
  const is_wish = PUID !== of_image && user !== uid
  return is_wish && uid !== undefined
    ? { warning: `PUID=${PUID} has no effect, because the service was started as the user ${uid} and not as root.` }
    : {}
}

/** The user root is refused: the one who sets PUID wants another user. The greatest id of 32 bits means none. */
function idIn(name: string, text: string, least: number, what: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : -1
  if (id < least || id >= 2 ** 32 - 1) throw wrong(`${name} should be the number of ${what}, such as 1000`)
  return id
}

const wrong = (fault: string) => new Error(`Wrong configuration: ${fault}.`)

/** The folders that the service writes to. A bucket is none. */
export const foldersOf = ({ DATA_DIR, DOWNLOADS_DIR, MEDIA_DIR }: Environment): string[] =>
  [DATA_DIR || '.data', DOWNLOADS_DIR || 'downloads', MEDIA_DIR || '']
    .filter(folder => folder !== '' && !/^s3:/i.test(folder))
    .map(folder => resolve(folder))

/**
 * Gives the folder to the user, with everything in it that is not theirs. A folder that is theirs already is not read: a library may have a
 * million files. So the folder itself is given last, and an interrupted start begins again. Follows no links in it.
 */
export function giveFolder(folder: string, user: User): void {
  const before = statSync(folder, { throwIfNoEntry: false })
  if (before && isSame(before, user)) return
  requireLinksOfRoot(folder)
  mkdirSync(folder, { recursive: true })
  const { uid } = statSync(folder)
  for (const name of readdirSync(folder)) giveTree(join(folder, name), user, uid)
  chownSync(folder, user.uid, user.gid)
}

/** A user who can write to one folder could put a link there that leads to the system's files, in place of another folder to give. */
function requireLinksOfRoot(path: string): void {
  if (dirname(path) !== path) requireLinksOfRoot(dirname(path))
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isSymbolicLink()) return
  if (found.uid !== 0) throw new Error(`${path} is a link of the user ${found.uid}: name the folder it leads to.`)
  requireLinksOfRoot(resolve(dirname(path), readlinkSync(path)))
}

/** `owner`: of the folder until now. Another container may delete a file meanwhile. */
function giveTree(path: string, user: User, owner: number): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTree(join(path, name), user, owner)
  // A second name of a file elsewhere, which is not theirs to give.
  else if (found.nlink > 1 && found.uid !== owner) return
  if (!isSame(found, user)) lchownSync(path, user.uid, user.gid)
}

const isSame = (one: User, other: User): boolean => one.uid === other.uid && one.gid === other.gid

/** Some network file systems give files to no one. The start says later which folder this user cannot write to. */
function giveOrSay(folder: string, user: User): void {
  try {
    giveFolder(folder, user)
  } catch (fault) {
    console.error(`${folder} cannot be given to PUID:PGID. ${(fault as Error).message}`)
  }
}

function change({ uid, gid }: User): void {
  try {
    process.setgroups?.([gid])
    process.setgid?.(gid)
    process.setuid?.(uid)
  } catch (cause) {
    const needed = 'PUID and PGID need the capabilities CHOWN, SETGID and SETUID. Give them, or start as that user'
    throw new Error(`${needed}.`, { cause })
  }
}
