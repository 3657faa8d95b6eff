/** The targets of one person's notifications. Only what is read to send a message has the token or key of a target. */
import type { Delivery, MessageEvent, MessageTarget, TargetKind } from '../../schema/notifications/message.ts'
import { keyed_kinds, max_mailboxes, max_targets, type Target } from '../../schema/notifications/target.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, hasBroken, oneByOne, onlyRow, type Piece, type Sql } from '../postgres/client.ts'

type NewTarget = { kind: TargetKind; address: string; token_or_key: string | null; events: MessageEvent[] }
/** `full`, `mailboxes_full`: the person has the most targets or mailboxes allowed. `known`: the person has this target already. */
export type NotAdded = 'full' | 'mailboxes_full' | 'known'

export function targetsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  // Everyone who knows the whole address of a browser may be able to send to the browser (RFC 8030 §8.3).
  const columns = sql`
    target_id, kind, case when kind = 'browser' then coalesce(substring(address from '^[a-zA-Z]+://[^/?#]+'), '') else address end as address,
    secret is not null and kind = any(${keyed_kinds}) as has_secret, events,
    created_at, delivered_at, fault`

  /** `otherwise`: what is done with a target that the person has already. */
  const add = ({ token_or_key: secret, ...target }: NewTarget, otherwise: Piece): Promise<Target | NotAdded> =>
    oneByOne(sql, user_id, async tx => {
      const others = await onlyRow(tx<{ targets: number; mailboxes: number }[]>`
        select count(*) as targets, count(*) filter (where kind = 'mail') as mailboxes
        from   notification_targets
        where  ${mine} and (kind, address) <> (${target.kind}, ${target.address})`)
      if (others.targets >= max_targets) return 'full'
      if (target.kind === 'mail' && others.mailboxes >= max_mailboxes) return 'mailboxes_full'
      const [added] = await tx<Target[]>`
        insert into notification_targets ${tx({ ...target, secret, user_id })}
        on conflict (user_id, kind, address) do ${otherwise}
        returning ${columns}`
      return added ?? 'known'
    })

  return {
    /** The oldest first. */
    list: (): Promise<Target[]> => sql<Target[]>`
      select   ${columns}
      from     notification_targets
      where    ${mine}
      order by created_at, target_id`,

    find: (target_id: string): Promise<Target | undefined> =>
      firstRow(sql<Target[]>`
        select ${columns}
        from   notification_targets
        where  ${mine} and target_id::text = ${target_id}`),

    findToSend: (target_id: string): Promise<MessageTarget | undefined> =>
      firstRow(sql<MessageTarget[]>`
        select target_id, kind, address, secret as token_or_key
        from   notification_targets
        where  ${mine} and target_id::text = ${target_id}`),

    add: (target: NewTarget): Promise<Target | NotAdded> => add(target, sql`nothing`),

    /** A known browser gets these keys, and the events that are `chosen`. */
    addBrowser: (
      address: string,
      keys: string,
      { chosen, usual }: { chosen: MessageEvent[] | null; usual: MessageEvent[] },
    ): Promise<Target | NotAdded> =>
      add(
        { kind: 'browser', address, token_or_key: keys, events: chosen ?? usual },
        sql`update set secret = excluded.secret, events = coalesce(${chosen}, notification_targets.events), fault = null`,
      ),

    /** `undefined`: there is no such target. */
    async change(
      target_id: string,
      { token_or_key: secret, ...changes }: Partial<Omit<NewTarget, 'kind'>>,
    ): Promise<Target | 'known' | undefined> {
      try {
        return await firstRow(sql<Target[]>`
          update notification_targets
          set    ${sql({ ...changes, ...(secret !== undefined && { secret }), fault: null })}
          where  ${mine} and target_id::text = ${target_id}
          returning ${columns}`)
      } catch (fault) {
        if (hasBroken(fault, 'notification_targets_address_key')) return 'known'
        throw fault
      }
    },

    /** `false`: there is no such target. */
    remove: (target_id: string): Promise<boolean> =>
      hasAny(sql`
        delete from notification_targets
        where  ${mine} and target_id::text = ${target_id}`),

    async removeBrowser(endpoint: string): Promise<void> {
      await sql`
        delete from notification_targets
        where  ${mine} and kind = 'browser' and address = ${endpoint}`
    },

    /** Records whether a message arrived. Deletes a target that is gone, with the messages that wait for it. */
    async recordDelivery(target_id: string, delivery: Delivery): Promise<void> {
      if (!delivery.delivered && delivery.gone) {
        await sql`delete from notification_targets where ${mine} and target_id = ${target_id}`
        return
      }
      const fault = delivery.delivered ? null : delivery.detail
      await sql`
        update notification_targets
        set    fault = ${fault}, delivered_at = case when ${delivery.delivered} then now() else delivered_at end
        where  ${mine} and target_id = ${target_id}`
    },
  }
}

export type MailEnds = ReturnType<typeof mailEndsIn>

/** Ends the mails to a mailbox, for the person who reads them: the link in each mail needs no sign-in. */
export const mailEndsIn = (sql: Sql) => ({
  /** Does nothing if the mails have ended already. `user_id` comes from the link, and counts only together with the token of the link. */
  async end(user_id: string, token: string): Promise<void> {
    await sql`
      delete from notification_targets
      where  user_id = ${user_id} and kind = 'mail' and secret = ${token}`
  },
})
