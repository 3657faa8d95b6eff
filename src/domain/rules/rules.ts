/** A channel's rule: which videos download automatically, and how long they stay. Off until a person turns it on. */
import type { Library } from '../../db/library.ts'
import type { JudgedVideo, Judgement, ToJudge } from '../../db/rules/rule-judging.ts'
import type { Outlook } from '../../db/rules/rule-outlook.ts'
import { type DomainError, wrongAt } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import {
  type ChannelRule,
  type ChosenChannels,
  older_than_rule,
  type Rule,
  type RulePreview,
  type RulesPreview,
  rule_off,
  type VideoOfPreview,
} from '../../schema/rules/rule.ts'
import type { Store } from '../../store/files.ts'
import { deleteFile } from '../downloads/deletions.ts'
import { noSuchChannel, notFollowed, orThrow } from '../get.ts'
import { judge, perWeek, reasons_by_state, reasonsOf, type Verdict } from './judging.ts'

export const getRule = async (library: Library, channel_id: string): Promise<ChannelRule> =>
  orThrow(await library.rules.find(channel_id), noSuchChannel)

/**
 * The rule applies to future videos, and at once to the older videos that it includes. Throws `conflict` if the channel is not followed.
 */
export async function changeRule(library: Library, channel_id: string, rule: Rule): Promise<ChannelRule> {
  await requireOwnPlaylist(library, rule)
  const changed = await library.rules.save(channel_id, rule)
  if (!changed) throw await withoutRule(library, channel_id)
  await applyRule(library, channel_id)
  return changed
}

/** Throws `invalid` if the rule names a playlist that the person does not have. */
async function requireOwnPlaylist({ playlists }: Library, { playlist_id }: Rule): Promise<void> {
  if (playlist_id === null || (await playlists.find(playlist_id))) return
  throw wrongAt('playlist_id', 'There is no such playlist. Choose another one.')
}

/** Why a channel can have no rule. */
const withoutRule = async ({ channels }: Library, channel_id: string): Promise<DomainError> =>
  (await channels.find(channel_id)) ? notFollowed('Follow it, then set what downloads automatically.') : noSuchChannel()

/** Gives several channels one rule. Housekeeping applies it to older videos. Returns how many channels have the rule now. */
export async function changeRules(library: Library, chosen: ChosenChannels, rule: Rule): Promise<number> {
  await requireOwnPlaylist(library, rule)
  return library.rules.saveMany(chosen, rule)
}

/** The rule for channels that are followed from now on. */
export const getDefaultRule = async (library: Library): Promise<Rule> => (await library.rules.findDefault()) ?? rule_off

export async function changeDefaultRule(library: Library, rule: Rule): Promise<Rule> {
  await requireOwnPlaylist(library, rule)
  await library.rules.saveDefault(rule)
  return rule
}

/** Judgements of one call. Housekeeping continues when there are more videos. */
const max_judgements = 5

/**
 * Requests the videos that the rule is for, among the videos that it has not judged in their present state. `save-feed.ts` calls it after
 * every save. New videos and new facts about a video are recorded at the rule when they are saved, so an interrupted call loses nothing,
 * and housekeeping calls it as well. Returns the videos that were queued.
 */
export async function applyRule(library: Library, channel_id: string): Promise<string[]> {
  const queued: string[] = []
  for (let judgements = 0; judgements < max_judgements; judgements++) {
    const to_judge = await library.rules.toJudge(channel_id)
    if (!to_judge) break
    const judgement = judgementOf(to_judge)
    queued.push(...((await library.rules.settle(channel_id, judgement)) ?? []))
    if (judgement.next && 'from' in judgement.next) break
  }
  return queued
}

function judgementOf({ rule, revision, left_today, videos, has_more }: ToJudge): Judgement {
  const verdicts = judge(rule, videos, left_today)
  const chosen = verdicts.filter(({ reason }) => reason === null).map(({ video_id }) => video_id)
  return { revision, chosen, next: nextOf(verdicts, videos, has_more) }
}

function nextOf(verdicts: Verdict[], videos: ToJudge['videos'], has_more: boolean): Judgement['next'] {
  const limited = verdicts.find(({ limit }) => limit !== undefined)
  if (limited) return { from: limited.video_id, wait: limited.limit === 'day' }
  const last = videos.findLast(({ state }) => state === 'new')
  return has_more && last ? { after: last.video_id } : null
}

/** Deletes a file that the rule no longer keeps. `false`: a person pinned, requested or watched the video in the meantime. */
export const deleteByRule = (
  library: Library,
  store: Store,
  video_id: string,
  by_watching: boolean,
): Promise<boolean> =>
  deleteFile(library, store, video_id, {
    deletion: { by_rule: true },
    guard: { only_kept_by_rule: true, only_watched: by_watching },
  })

/** What saving a rule would do now: the same judgement as `applyRule`, from the same queries. Saves nothing. */
export async function previewRule(library: Library, channel_id: string, rule: Rule): Promise<RulePreview> {
  const outlook = await library.rules.outlook(channel_id, rule)
  if (!outlook) throw await withoutRule(library, channel_id)
  return previewOf(rule, outlook, currentTime())
}

const max_skipped_shown = 200

function previewOf(rule: Rule, outlook: Outlook, now: Date): RulePreview {
  const { videos, newest, has_more, left_today } = outlook
  const verdicts = new Map(judge(rule, videos, left_today).map(({ video_id, reason }) => [video_id, reason]))
  const reasonAgainst = reasonsOf(rule)
  const listed = new Map(
    [...videos.filter(({ state }) => state === 'new'), ...newest].map(video => [video.video_id, video]),
  )
  const judged = [...listed.values()]
    .toSorted((a, b) => b.sort_at.getTime() - a.sort_at.getTime())
    .map(video => ({ ...titleOf(video), reason: reasonFor(video), fits: reasonAgainst(video) === null }))
  const requested = new Set(judged.filter(({ reason }) => reason === null).map(({ video_id }) => video_id))
  return {
    would_download: judged.filter(({ reason }) => reason === null).map(titleOf),
    ...outlook.deletions,
    skipped: judged
      .flatMap(({ reason, ...video }) => (reason === null ? [] : { ...video, reason }))
      .slice(0, max_skipped_shown),
    newest_count: newest.length,
    newest_fits: newest.filter(video => reasonAgainst(video) === null).length,
    newest_downloads: newest.filter(({ video_id }) => requested.has(video_id)).length,
    has_more,
    per_week: rule.auto_download ? perWeek(rule, newest, now) : null,
  }

  /** A video that fits, but is no longer to be judged, is older than the rule. The conditions come first, whatever its age. */
  function reasonFor(video: JudgedVideo): string | null {
    if (!rule.auto_download) return 'Auto-download is off'
    const verdict = verdicts.get(video.video_id)
    if (verdict === null && video.state === 'new') return null
    const against = reasonAgainst(video)
    if (against !== null) return against
    if (verdict !== undefined && video.state === 'new') return verdict
    return reasons_by_state[video.state] ?? older_than_rule
  }
}

/**
 * What saving a rule for several channels would delete, and which of their newest videos fit its conditions. It says nothing about what
 * downloads now: each channel is judged for itself, within minutes after the rule was saved.
 */
export async function previewRules(library: Library, chosen: ChosenChannels, rule: Rule): Promise<RulesPreview> {
  const outlook = await library.rules.outlookOfSeveral(chosen, rule)
  const newest = [...new Map(outlook.newest.map(video => [video.video_id, video])).values()]
  const reasonAgainst = reasonsOf(rule)
  const judged = newest.map(video => ({ ...titleOf(video), reason: reasonAgainst(video) }))
  return {
    ...outlook.deletions,
    fitting: judged.filter(({ reason }) => reason === null).map(titleOf),
    unfitting: judged.flatMap(({ reason, ...video }) => (reason === null ? [] : { ...video, reason })),
    per_week: perWeek(rule, newest, currentTime()),
  }
}

const titleOf = ({ video_id, title, published_at }: VideoOfPreview) => ({ video_id, title, published_at })
