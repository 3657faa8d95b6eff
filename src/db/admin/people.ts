/** All people as administrators see them, and what an administrator changes in one of them. The domain deletes files. */
import type { PeopleSort, Person, PersonChange } from '../../schema/admin/admin.ts'
import type { UserId } from '../../schema/values/user.ts'
import { removeAccountIn } from '../account/removal.ts'
import { firstRow, hasBroken, type Queryable, type Transaction } from '../postgres/client.ts'
import { pageOf, paging, rowsFor, type SortKey } from '../rows/cursor.ts'
import { actOn, hasOtherAdministrator, type Means, type Target, type Write } from './acts.ts'
import { resumeAfterUnlock, stopForLock } from './locks.ts'

/** `not_found`: there is no such account. `last_administrator`: no administrator who can sign in would be left. */
export type Refusal = 'not_found' | 'last_administrator'

export function peopleOf(means: Means) {
  const { sql } = means

  return {
    /** Everybody, by name. */
    list: (): Promise<Person[]> => sql<Person[]>`
      select   ${columns(sql)}
      from     users
      order by lower(username)`,

    /** `q`: a part of the name. Names are sorted from A to Z, other keys from the latest or largest. `after`: a `next_cursor`. */
    async page({ q, sort, after }: { q: string; sort: PeopleSort; after?: string | undefined }) {
      const way = sort === 'name' ? 'asc' : 'desc'
      const { place, order, after: further } = paging(sql, keysOf(sql)[sort], way, after)
      const rows = await sql<(Person & { place: string })[]>`
        select   person.*, ${place} as place
        from     (select ${columns(sql)} from users where strpos(lower(username), lower(${q})) > 0) person
        where    ${further}
        order by ${order}
        limit    ${rowsFor(sql, people_per_page)}`
      const { rows: people, next_cursor } = pageOf(rows, people_per_page)
      return { people, next_cursor }
    },

    find: (username: string): Promise<Person | undefined> => findIn(sql, username),

    /** Absent fields, and fields that are so already, change nothing. */
    change: (username: string, change: PersonChange): Promise<Person | Refusal> =>
      orRefusal(
        actOn(means, username, async (tx, target, write) => {
          if (!(await changeIn(tx, target, change, write))) return 'last_administrator'
          return findIn(tx, username)
        }),
      ),

    /** Deletes the account with everything it owns in the database. Returns whose files are left. */
    remove: (username: string): Promise<UserId | Refusal> =>
      orRefusal(
        actOn(means, username, async (tx, target, write) => {
          if (target.role === 'admin' && !(await hasOtherAdministrator(tx, target.user_id))) return 'last_administrator'
          await removeAccountIn(tx, target)
          await write({ act: 'account_deleted', username: target.username })
          return target.user_id
        }),
      ),
  }
}

const people_per_page = 50

const columns = (sql: Queryable) => sql`
  username, role, users.created_at, last_seen_at, locked_at, quota_gb,
  (select count(*) from channels where user_id = users.id) as channels,
  (select coalesce(sum(entry_count), 0)::bigint from channels where user_id = users.id) as videos,
  (select coalesce(sum(file_size), 0)::bigint
   from   (select distinct on (video_id) file_size
           from   video_entries
           where  user_id = users.id and standing = 'done') files) as on_disk_bytes,
  (select count(*) from sessions where user_id = users.id and expires_at > now()) as sessions`

/** The name tells any two people apart. */
const keysOf = (sql: Queryable): Record<PeopleSort, SortKey[]> => {
  const name: SortKey = { by: sql`lower(username)`, type: 'name' }
  return {
    name: [name],
    last_visit: [{ by: sql`coalesce(last_seen_at, 'epoch')`, type: 'time' }, name],
    bytes: [{ by: sql`on_disk_bytes`, type: 'integer' }, name],
    created: [{ by: sql`created_at`, type: 'time' }, name],
  }
}

const findIn = (sql: Queryable, username: string): Promise<Person | undefined> =>
  firstRow(sql<Person[]>`select ${columns(sql)} from users where lower(username) = lower(${username})`)

/** Writes a row to the log for each field that changed. `false`: no administrator who can sign in would be left. */
async function changeIn(tx: Transaction, target: Target, change: PersonChange, write: Write): Promise<boolean> {
  const { user_id, username } = target
  const role = change.role ?? target.role
  const locked = change.locked ?? target.locked_at !== null
  const quota_gb = change.quota_gb === undefined ? target.quota_gb : change.quota_gb
  const acts_no_more = target.role === 'admin' && (role !== 'admin' || (locked && target.locked_at === null))
  if (acts_no_more && !(await hasOtherAdministrator(tx, user_id))) return false
  await tx`
    update users
    set    role      = ${role},
           locked_at = case when ${locked} then coalesce(locked_at, now()) end,
           quota_gb  = ${quota_gb}
    where  id = ${user_id}`
  if (locked && target.locked_at === null) await stopForLock(tx, user_id)
  if (!locked && target.locked_at !== null) await resumeAfterUnlock(tx, user_id)
  if (role !== target.role) await write({ act: 'role_changed', username, detail: role })
  if (locked !== (target.locked_at !== null)) await write({ act: locked ? 'locked' : 'unlocked', username })
  if (quota_gb !== target.quota_gb)
    await write({ act: 'quota_changed', username, detail: quota_gb === null ? 'default' : `${quota_gb} GB` })
  return true
}

/** The trigger of the table keeps the last administrator who can sign in. */
const orRefusal = <T>(acting: Promise<T | undefined>): Promise<T | Refusal> =>
  acting.then(
    done => done ?? 'not_found',
    (fault: unknown) => {
      if (hasBroken(fault, 'users_administrator')) return 'last_administrator'
      throw fault
    },
  )
