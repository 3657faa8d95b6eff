/**
 * The right to ask across people, as a library is the right to ask about one person. The queries in `<room>/everyone/` demand it, and
 * only jobs, the desk of an administrator and the numbers of the service make one; the net of the architecture checks both.
 */
import type { Queryable, Sql } from './postgres/client.ts'

declare const asks_across_people: unique symbol

/** `Everyone<Queryable>` may be a transaction, too. */
export type Everyone<Connection extends Queryable = Sql> = Connection & { readonly [asks_across_people]: true }

export const everyoneIn = <Connection extends Queryable>(sql: Connection): Everyone<Connection> =>
  sql as Everyone<Connection>
