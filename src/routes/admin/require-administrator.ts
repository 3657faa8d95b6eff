/**
 * Opens the desk to administrators. Everyone else gets the answer of an unknown address, whatever the method. Mount it after
 * `requireSignIn`, before the routes of the desk.
 */
import { createMiddleware } from 'hono/factory'
import { deskOf, isAdministrator } from '../../db/admin/desk.ts'
import type { Sql } from '../../db/postgres/client.ts'
import { nothingHere } from '../../errors.ts'
import type { SignIns } from '../../runtime/sign-ins.ts'
import { type Env, userOf } from '../http/context.ts'

/** The routes mounted after this have a `desk`. */
export const requireAdministrator = (sql: Sql, sign_ins: SignIns) =>
  // The name tells a test which routes it is mounted on.
  createMiddleware<Env>(async function administratorsOnly(c, next) {
    const { user_id, username } = userOf(c)
    if (!(await isAdministrator(sql, user_id))) throw nothingHere()
    c.set('desk', deskOf(sql, { user_id, name: username }, sign_ins))
    await next()
  })
