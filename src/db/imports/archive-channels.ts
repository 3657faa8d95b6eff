/** Merges the settings, channels and rules of an archive into the library of one person. What is there already stays. */
import { jsonText } from '../../runtime/json.ts'
import { max_groups } from '../../schema/channels/group.ts'
import type { ArchiveChannel, ArchiveSettings, ChannelWithRule } from '../../schema/imports/archive.ts'
import { max_searches, type SavedSearchRequest } from '../../schema/search/saved-search.ts'
import { type UserId, user_limits } from '../../schema/values/user.ts'
import { eachValue, onlyValue, type Piece, type Queryable } from '../postgres/client.ts'
import { areChanges, assigned, recordOf } from '../postgres/column-lists.ts'
import { channel_fields } from '../rows/archive-fields.ts'
import { mergedSettings } from '../rows/settings-columns.ts'
import { ruleColumns, ruleRecord } from '../rules/rule-columns.ts'
import { playlistCalled } from './archive-playlists.ts'

/** Settings that the person has chosen here stay. */
export async function mergeSettings(tx: Queryable, user_id: UserId, settings: ArchiveSettings): Promise<void> {
  await tx`
    update users
    set    ${mergedSettings(tx, settings)},
           default_rule = coalesce(
             default_rule,
             ${settings.default_rule && jsonText(settings.default_rule)}::text::jsonb
               || jsonb_build_object('playlist_id', ${playlistCalled(tx, user_id, tx`${settings.default_rule_playlist}::text`)}))
    where  id = ${user_id}`
  await mergeGroups(tx, user_id, settings.groups)
  await mergeGroupBells(tx, user_id, settings.group_bells)
  await mergeSearches(tx, user_id, settings.searches)
}

/** A bell that is on here stays on. */
const mergeGroupBells = (tx: Queryable, user_id: UserId, names: string[]) => tx`
  update groups
  set    bell = true
  where  user_id = ${user_id} and deleted_at is null and not bell
  and    lower(name) in (select lower(given) from unnest(${names}::text[]) given)`

/**
 * Follows the channels without fetching their feeds: the schedule does. `channels_left_out`: channels that exceed the limit of the
 * person.
 */
export async function mergeChannels(
  tx: Queryable,
  user_id: UserId,
  channels: ArchiveChannel[],
): Promise<{ channels_added: number; channels_left_out: number }> {
  // Other ways to follow a channel wait here when the limit is near, so that the count includes them.
  await tx`select from users where id = ${user_id} for no key update`
  const followed_before = await onlyValue<number>(tx`
    select count(*) as followed
    from   channels
    where  user_id = ${user_id} and rss_url is not null`)
  const known = await tx<{ channel_id: string; is_followed: boolean }[]>`
    select   channel_id, rss_url is not null as is_followed
    from     channels
    where    user_id = ${user_id} and channel_id = any(${channels.map(({ channel_id }) => channel_id)})
    order by channel_id
    for no key update`
  const here = new Map(known.map(({ channel_id, is_followed }) => [channel_id, is_followed]))
  const isToFollow = ({ channel_id, rss_url }: ArchiveChannel) => rss_url !== null && here.get(channel_id) !== true
  const room = Math.max(0, user_limits.channels - followed_before)
  const followed = new Set(channels.filter(isToFollow).slice(0, room))
  const fitting = channels.filter(channel => !isToFollow(channel) || followed.has(channel))
  await insertChannels(tx, user_id, fitting)
  await mergeGroupsOf(tx, user_id, fitting)
  // A trigger has given them the default rule. They get the rule of the archive when their videos are there.
  await tx`
    delete from channel_rules
    where  user_id = ${user_id} and channel_id = any(${[...followed].map(({ channel_id }) => channel_id)})`
  return { channels_added: followed.size, channels_left_out: channels.length - fitting.length }
}

const insertChannels = (tx: Queryable, user_id: UserId, channels: ArchiveChannel[]) => tx`
  insert into channels as known (user_id, channel_id, title, rss_url, page_url, image_url, quality, plays_whole, bell, created_at, imported_at)
  select   ${user_id}, channel_id, title, rss_url, page_url, image_url, quality, nullif(plays_whole, false), bell,
           least(followed_at, now()),
           case when rss_url is not null then now() end
  from     json_to_recordset(${jsonText(channels)}::text::json) as given (${recordOf(tx, channel_fields)})
  order by channel_id
  on conflict on constraint channels_user_channel_key do update
  set    ${assigned(tx, merged(tx))},
         created_at = case when known.rss_url is null and excluded.rss_url is not null then excluded.created_at
                           else known.created_at end,
         imported_at = case when known.rss_url is null then excluded.imported_at else known.imported_at end,
         first_checked_at = case when known.rss_url is not null then known.first_checked_at end
  where  ${areChanges(tx, 'known', merged(tx))}`

/** What a known channel becomes. Its title and the time of its following stay. */
function merged(
  tx: Queryable,
): Record<Exclude<keyof typeof channel_fields, 'channel_id' | 'title' | 'followed_at'>, Piece> {
  const first = (name: string) => tx`coalesce(${tx(`known.${name}`)}, ${tx(`excluded.${name}`)})`
  return {
    rss_url: first('rss_url'),
    page_url: first('page_url'),
    image_url: first('image_url'),
    quality: first('quality'),
    plays_whole: first('plays_whole'),
    bell: tx`known.bell or excluded.bell`,
  }
}

/**
 * Gives channels that have no rule the rule of the archive. It applies to videos that appear from now on, even if it includes earlier
 * ones: an import must not start thousands of downloads. Then deletes the channels that are not followed and got no video.
 */
export async function mergeRules(tx: Queryable, user_id: UserId, channels: ChannelWithRule[]): Promise<void> {
  const rules = channels.flatMap(({ channel_id, rule, rule_playlist }) =>
    rule ? [{ channel_id, ...rule, rule_playlist }] : [],
  )
  const added = await eachValue<string>(tx`
    insert into channel_rules (user_id, channel_id, on_since, playlist_id, ${ruleColumns(tx)})
    select   user_id, channel_id, case when rule.auto_download then now() end,
             ${playlistCalled(tx, user_id, tx`rule_playlist`)}, ${ruleColumns(tx, 'rule')}
    from     channels
    join     json_to_recordset(${jsonText(rules)}::text::json) as rule (
               channel_id text, auto_download bool, rule_playlist text, ${ruleRecord(tx)})
             using (channel_id)
    where    user_id = ${user_id} and rss_url is not null
    order by channel_id
    -- An unfollow at the same moment deletes the rule, so this waits for it.
    for no key update of channels
    on conflict do nothing
    returning channel_id`)
  // A time equal to that of the rule tells that the import has brought the rule.
  await tx`
    update channels
    set    imported_at = now(), first_checked_at = case when last_fetched_at is not null then now() end
    where  user_id = ${user_id} and channel_id = any(${added})`
  await tx`
    delete from channels
    where  user_id = ${user_id} and channel_id = any(${channels.map(({ channel_id }) => channel_id)})
    and    rss_url is null and entry_count = 0`
}

/** Creates the groups whose names the person does not have, as many as one person may have. */
export async function mergeGroups(tx: Queryable, user_id: UserId, names: string[]): Promise<void> {
  await tx`
    insert into groups (user_id, name)
    select   ${user_id}, name
    from     unnest(${names}::text[]) name
    where    not exists (select from groups where user_id = ${user_id} and lower(groups.name) = lower(name.name) and deleted_at is null)
    limit    greatest(0, ${max_groups} - (select count(*) from groups where user_id = ${user_id} and deleted_at is null))
    on conflict do nothing`
}

/** Adds the channels, which are here, to their groups. */
async function mergeGroupsOf(
  tx: Queryable,
  user_id: UserId,
  channels: Pick<ArchiveChannel, 'channel_id' | 'groups'>[],
): Promise<void> {
  const members = channels.flatMap(({ channel_id, groups }) => groups.map(name => ({ channel_id, name })))
  await mergeGroups(tx, user_id, [...new Set(members.map(({ name }) => name))])
  await tx`
    insert into channel_groups (user_id, channel_id, group_id)
    select   ${user_id}, given.channel_id, owned.group_id
    from     unnest(${members.map(({ channel_id }) => channel_id)}::text[], ${members.map(({ name }) => name)}::text[])
             as given (channel_id, name)
    join     groups owned on owned.user_id = ${user_id} and lower(owned.name) = lower(given.name) and deleted_at is null
    order by 2, 3
    on conflict do nothing`
}

/** Adds the saved searches whose names the person does not have, as many as one person may have. */
async function mergeSearches(tx: Queryable, user_id: UserId, searches: SavedSearchRequest[]): Promise<void> {
  const mine = tx`user_id = ${user_id} and deleted_at is null`
  await tx`
    insert into saved_searches (user_id, name, q, sort)
    select ${user_id}, name, q, sort
    from   json_to_recordset(${jsonText(searches)}::text::json) as given (name text, q text, sort text)
    where  not exists (select from saved_searches known where ${mine} and lower(known.name) = lower(given.name))
    limit  greatest(0, ${max_searches} - (select count(*) from saved_searches where ${mine}))
    on conflict do nothing`
}
