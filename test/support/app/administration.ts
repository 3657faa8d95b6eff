/** In the database: a service with many people, invitations, a log, failing sites and a worker, as an administrator sees it. */
import type { Sql } from '../../../src/db/postgres/client.ts'
import { ActName } from '../../../src/schema/admin/admin.ts'
import { no_renewal, RenewalReport } from '../../../src/schema/service/renewal.ts'
import { administrator, type Person } from './people.ts'

export const longest_name = 'a-person-with-the-longest-name.w'
export const locked_name = 'locked-person'

/** 60 people. Returns an administrator. */
export async function administration(sql: Sql): Promise<Person> {
  const admin = await administrator(sql, 'admin')
  await sql`
    insert into users (username, password_hash, last_seen_at, quota_gb, created_at)
    select case n when 1 then ${longest_name} else rpad('person-' || n, 10 + n % 23, 'w') end, 'not a hash',
           case when n % 4 > 0 then now() - n * interval '7 hours' end, case when n % 5 = 0 then n end, now() - n * interval '9 days'
    from   generate_series(1, 60) n`
  await sql`
    insert into users (username, password_hash, locked_at) values (${locked_name}, 'not a hash', now() - interval '2 days')`
  await sql`
    insert into secrets (kind, hash, name, made_by, expires_at)
    values ('invitation', 'a', ${'For Ana from the club, who asked twice by letter and once by telephone. '.repeat(2)},
            ${admin.user.user_id}, now() + interval '6 days'),
           ('invitation', 'b', '', null, now() + interval '2 days')`
  const acts = ActName.options.map((act, nth) => ({
    actor: nth % 2 === 0 ? admin.user.username : 'command line',
    act,
    username: longest_name,
    detail: nth % 3 === 0 ? 'videos.example' : '',
  }))
  await sql`insert into admin_acts ${sql(acts)}`
  await sql`
    insert into host_pauses (host, until, reason)
    values ('videos.example', now() + interval '1 hour', 'refused'),
           ('feeds:feeds.a-site-with-a-long-name.example:8080', now() + interval '1 day', 'refused')`
  const report = {
    ytdlp_version: '2026.11.20',
    ytdlp_source: 'own',
    ffmpeg_version: '7.1.1',
    javascript: 'node 24.1',
    missing: null,
    renewal: RenewalReport.parse(no_renewal),
  }
  await sql`insert into workers (id, report) values ('pool-of-the-administration', ${sql.json(report)})`
  return admin
}
