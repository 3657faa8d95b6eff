/** The targets of one person's notifications. Secrets leave this file only for the sender of a message. */
import type { Delivery, MessageEvent, MessageTarget, TargetKind } from '../../schema/notifications/message.ts'
import { max_mailboxes, max_targets, type Target } from '../../schema/notifications/target.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, hasBroken, onlyRow, type Piece, type Sql } from '../postgres/client.ts'

type NewTarget = { kind: TargetKind; address: string; secret: string | null; events: MessageEvent[] }
/**
 * `full`, `no_mailbox`: the person has the most targets or mailboxes allowed. `known`: the person has a target of this kind and address.
 */
type Refusal = 'full' | 'no_mailbox' | 'known'

export function targetsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  // The whole address of a browser is a secret that its push service gave to this service (RFC 8030 §8.3).
  const columns = sql`
    target_id, kind, case when kind = 'browser' then coalesce(substring(address from '^[a-zA-Z]+://[^/?#]+'), '') else address end as address,
    secret is not null and kind in ('webhook', 'ntfy') as has_secret, events,
    created_at, delivered_at, fault`
  const for_sending = sql`target_id, kind, address, secret`

  /** `known`: what is done with a target that the person has already. */
  const add = (target: NewTarget, known: Piece): Promise<Target | Refusal> =>
    sql.begin(async tx => {
      // Without the lock, two concurrent requests would not count each other.
      await tx`select from users where id = ${user_id} for no key update`
      const others = await onlyRow(tx<{ targets: number; mailboxes: number }[]>`
        select count(*) as targets, count(*) filter (where kind = 'mail') as mailboxes
        from   notification_targets
        where  ${mine} and (kind, address) <> (${target.kind}, ${target.address})`)
      if (others.targets >= max_targets) return 'full'
      if (target.kind === 'mail' && others.mailboxes >= max_mailboxes) return 'no_mailbox'
      const [added] = await tx<Target[]>`
        insert into notification_targets ${tx({ ...target, user_id })}
        on conflict (user_id, kind, address) do ${known}
        returning ${columns}`
      return added ?? 'known'
    })

  return {
    /** The oldest first, without secrets. */
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

    /** With its secret. */
    findToSend: (target_id: string): Promise<MessageTarget | undefined> =>
      firstRow(sql<MessageTarget[]>`
        select ${for_sending}
        from   notification_targets
        where  ${mine} and target_id::text = ${target_id}`),

    add: (target: NewTarget): Promise<Target | Refusal> => add(target, sql`nothing`),

    /** A browser that is known gets these keys, and the events if they are given. */
    addBrowser: (
      address: string,
      secret: string,
      { chosen, usual }: { chosen: MessageEvent[] | null; usual: MessageEvent[] },
    ): Promise<Target | Refusal> =>
      add(
        { kind: 'browser', address, secret, events: chosen ?? usual },
        sql`update set secret = excluded.secret, events = coalesce(${chosen}, notification_targets.events), fault = null`,
      ),

    /** `undefined`: there is no such target. */
    async change(
      target_id: string,
      changes: Partial<Pick<NewTarget, 'address' | 'secret' | 'events'>>,
    ): Promise<Target | 'known' | undefined> {
      try {
        return await firstRow(sql<Target[]>`
          update notification_targets
          set    ${sql({ ...changes, fault: null })}
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
  /** `false`: the mails have ended already. `user_id` comes from the link, and counts only together with the secret. */
  end: (user_id: string, secret: string): Promise<boolean> =>
    hasAny(sql`
      delete from notification_targets
      where  user_id = ${user_id} and kind = 'mail' and secret = ${secret}`),
})
