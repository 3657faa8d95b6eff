/** Notices of the service to administrators: one when a problem begins, and one when it is over. */
import type { Everyone } from '../../everyone.ts'
import { eachValue, hasAny, type Piece, type Queryable, type Transaction } from '../../postgres/client.ts'
import { hasTargetFor } from '../outbox.ts'

/** `notice`: a name that stays the same while the problem lasts. `sentence`: for administrators. */
export type Notice = { notice: string; sentence: string }

/** A problem counts as over only this long after it began, so that one that comes and goes is not notified each time. */
const shortest_minutes = 10

/** Whether the service has to be checked: an administrator has a target for `service`, or a notice is not over. */
export const isServiceWatched = (sql: Everyone): Promise<boolean> =>
  hasAny(sql`
    select where exists (select from users where ${isAdministrator(sql)}) or exists (select from service_notices)`)

/** Compares what is wrong now with the notices that were sent. `wasWrong`: the sentence of a notice that is over. */
export const changeNotices = (sql: Everyone, now: Notice[], wasWrong: (notice: string) => string): Promise<void> =>
  sql.begin(async tx => {
    const names = now.map(({ notice }) => notice)
    const new_ones = await eachValue<string>(tx`
      insert into service_notices (notice)
      select   name
      from     unnest(${names}::text[]) name
      order by name
      on conflict do nothing
      returning notice`)
    const over = await eachValue<string>(tx`
      delete from service_notices
      where  notice <> all(${names}::text[]) and since < now() - ${shortest_minutes} * interval '1 minute'
      returning notice`)
    const begun = now.filter(({ notice }) => new_ones.includes(notice)).map(({ sentence }) => sentence)
    const ended = over.map(wasWrong)
    if (begun.length + ended.length > 0) await notifyAdministrators(tx as Everyone<Transaction>, { begun, ended })
  }) as unknown as Promise<void>

/** A statement, or a part of one: writes a row for each administrator who has a target for it. `also`: a further condition. */
export const notifyAdministrators = (
  sql: Everyone<Queryable>,
  details: { begun: string[]; ended: string[] },
  also: Piece = sql`true`,
) => sql`
  insert into notifications (user_id, event, details)
  select id, 'service', ${sql.json(details)}::jsonb
  from   users
  where  ${isAdministrator(sql)} and ${also}`

const isAdministrator = (sql: Queryable): Piece => sql`
  (users.role = 'admin' and users.locked_at is null and ${hasTargetFor(sql, sql`users.id`, 'service')})`
