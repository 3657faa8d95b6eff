/** A channel's rule: which new videos download automatically, and how long they stay. Off until a person turns it on. */
import type { Library } from '../../db/library/library.ts'
import { type Pattern, patternOf } from '../../schema/pattern.ts'
import type { ChannelRule, Judged, Rule } from '../../schema/rule.ts'
import type { Files } from '../downloads/files.ts'
import { noSuchChannel } from './no-such-channel.ts'

export async function getRule(library: Library, channel_id: string): Promise<ChannelRule> {
  const rule = await library.rules.find(channel_id)
  if (!rule) throw noSuchChannel()
  return rule
}

/** The rule applies to future videos only. */
export async function changeRule(library: Library, channel_id: string, rule: Rule): Promise<ChannelRule> {
  const changed = await library.rules.save(channel_id, rule)
  if (!changed) throw noSuchChannel()
  return changed
}

/** Requests the new videos that the rule is for; `save-feed.ts` calls it after every save. Returns those that were queued. */
export async function applyRule(library: Library, channel_id: string): Promise<string[]> {
  const rule = await library.rules.find(channel_id)
  if (!rule?.auto_download) return []
  const chosen = choose(rule, await library.rules.toJudge(channel_id))
  if (chosen.length === 0) return []
  const results = await library.downloads.request(chosen, 'rule')
  return chosen.filter(video_id => results.get(video_id) === 'queued')
}

/** Deletes a file that the rule no longer keeps. `false`: a person pinned or requested the video in the meantime. */
export const deleteByRule = (library: Library, files: Files, video_id: string): Promise<boolean> =>
  library.downloads.loseFile(video_id, files.remove, { only_kept_by_rule: true })

/** New videos judged at each save, the newest ones. A video that does not fit is judged again at the next save. */
const max_judged = 100

/**
 * The newest videos that fit. With `keep_newest`, a video that newer ones would push out at once is not requested. Files and
 * downloads under way count; failed downloads and deleted files make room for older videos.
 */
export function choose(rule: Rule, judged: Judged[]): string[] {
  const kept = judged.filter(({ state }) => state === 'held')
  const waiting = judged.filter(({ state }) => state === 'new').slice(0, max_judged)
  // Of two equally new videos, the one that is kept already comes first.
  return [...kept, ...waiting.filter(fits(rule))]
    .toSorted((a, b) => b.sort_at.getTime() - a.sort_at.getTime())
    .slice(0, rule.keep_newest ?? undefined)
    .filter(({ state }) => state === 'new')
    .map(({ video_id }) => video_id)
}

/** Whether the rule is for a video. */
export function fits(rule: Rule): (video: Pick<Judged, 'title' | 'video_url'>) => boolean {
  const isAllowed = rule.title_pattern === null ? everything : (patternOf(rule.title_pattern) ?? nothing)
  const [wanted, unwanted] = [rule.title_words.map(folded), rule.without_words.map(folded)]
  return video => {
    const title = folded(video.title)
    if (rule.skip_shorts && isShort(video)) return false
    if (wanted.length > 0 && !wanted.some(word => title.includes(word))) return false
    return !unwanted.some(word => title.includes(word)) && isAllowed(video.title)
  }
}

const everything: Pattern = () => true
/** For a stored expression that is no longer valid: select nothing rather than everything. */
const nothing: Pattern = () => false

/** Recognises a Short by its address or title, because feeds do not give the length of a video. */
const isShort = ({ title, video_url }: Pick<Judged, 'title' | 'video_url'>): boolean =>
  /^https?:\/\/[^/?#]+\/shorts\//i.test(video_url) || /(?<!\S)#shorts?(?![\p{L}\p{N}_])/iu.test(title)

const folded = (text: string) => text.normalize('NFKC').toLowerCase()
