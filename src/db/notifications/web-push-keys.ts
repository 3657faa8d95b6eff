/** The keys with which this service identifies itself to the push services of browsers. All processes use the pair that was made first. */
import type { WebPushKeys } from '../../schema/notifications/target.ts'
import { onlyRow, type Sql } from '../postgres/client.ts'

/** Returns the stored pair; stores what `make` makes if there is none. A browser accepts messages only by the pair that it knows. */
export const webPushKeysIn = (sql: Sql, make: () => Promise<WebPushKeys>) => async (): Promise<WebPushKeys> => {
  const [known] = await sql<WebPushKeys[]>`select public_key, private_key from web_push_keys`
  if (known) return known
  return onlyRow(sql<WebPushKeys[]>`
    insert into web_push_keys ${sql(await make())}
    on conflict ((true)) do update set public_key = web_push_keys.public_key
    returning public_key, private_key`)
}
