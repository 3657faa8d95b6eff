/** A channel's rule: which videos download automatically, and how long they stay. Off until a person turns it on. */
import type { Library } from '../../db/library.ts'
import type { Judgement, ToJudge } from '../../db/rules/rule-judging.ts'
import { DomainError } from '../../errors.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { type ChannelRule, type ChosenChannels, type Rule, rule_off } from '../../schema/rules/rule.ts'
import type { Files } from '../../store/files.ts'
import { deleteFile } from '../downloads/deletions.ts'
import { noSuchChannel } from '../get.ts'
import { judge, type Verdict } from './judging.ts'

export async function getRule(library: Library, channel_id: string): Promise<ChannelRule> {
  const rule = await library.rules.find(channel_id)
  if (!rule) throw noSuchChannel()
  return rule
}

/** The rule applies to future videos, and at once to the older ones that it includes. Throws `conflict` if the channel is not followed. */
export async function changeRule(library: Library, channel_id: string, rule: Rule): Promise<ChannelRule> {
  const changed = await library.rules.save(channel_id, rule)
  if (!changed) throw await withoutRule(library, channel_id)
  await applyRule(library, channel_id)
  return changed
}

/** Why a channel can have no rule. */
export const withoutRule = async ({ channels }: Library, channel_id: string): Promise<DomainError> =>
  (await channels.find(channel_id))
    ? new DomainError('conflict', 'You do not follow this channel. Follow it, then set what downloads automatically.')
    : noSuchChannel()

/** One rule for several channels. Housekeeping applies it to older videos. Returns how many channels have it now. */
export const changeRules = (library: Library, chosen: ChosenChannels, rule: Rule): Promise<number> =>
  library.rules.saveMany(chosen, rule)

/** The rule for channels that are followed from now on. */
export const getDefaultRule = async (library: Library): Promise<Rule> => (await library.rules.findDefault()) ?? rule_off

export async function changeDefaultRule(library: Library, rule: Rule): Promise<Rule> {
  await library.rules.saveDefault(rule)
  return rule
}

/** Judgements of one call. Housekeeping continues when there are more videos. */
const max_judgements = 5

/**
 * Requests the videos that the rule is for, among those that it has not judged as they are now. `save-feed.ts` calls it after every
 * save. New videos and new facts about a video are noted at the rule when they are saved, so an interrupted call loses nothing, and
 * housekeeping calls it as well. Returns the videos that were queued.
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
  files: Files,
  video_id: string,
  { by_watching, bin }: { by_watching: boolean; bin: BinLimits },
): Promise<boolean> =>
  deleteFile(library, files, video_id, bin, {
    deletion: { by_rule: true },
    only: { only_kept_by_rule: true, only_watched: by_watching },
  })
