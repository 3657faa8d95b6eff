/** What a channel's rule fetches without a click, and what it lets go again. Off unless somebody turns it on. */
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import { type Pattern, patternOf } from '../../schema/pattern.ts'
import type { ChannelRule, Judged, Rule } from '../../schema/rule.ts'
import type { Files } from '../downloads/files.ts'

export async function getRule(library: Library, channel_id: string): Promise<ChannelRule> {
  const rule = await library.rules.find(channel_id)
  if (!rule) throw noSuchChannel()
  return rule
}

/** What it fetches from now on; what appeared before stays as it is. */
export async function changeRule(library: Library, channel_id: string, rule: Rule): Promise<ChannelRule> {
  const changed = await library.rules.save(channel_id, rule)
  if (!changed) throw noSuchChannel()
  return changed
}

/** After every save of the channel's feed. Returns the videos that are in line because of it. */
export async function applyRule(library: Library, channel_id: string): Promise<string[]> {
  const rule = await library.rules.find(channel_id)
  if (!rule?.auto_download) return []
  const chosen = choose(rule, await library.rules.toJudge(channel_id))
  if (chosen.length === 0) return []
  const results = await library.downloads.request(chosen, 'rule')
  return chosen.filter(video_id => results.get(video_id) === 'queued')
}

/** Deletes the file of a video that its rule keeps no longer, unless somebody pinned or asked for it in the meantime. */
export const letGo = (library: Library, files: Files, video_id: string): Promise<boolean> =>
  library.downloads.loseFile(video_id, files.remove, { only_kept_by_rule: true })

/** The newest of what waits, at one save; what never fits waits on, and is judged again. */
const most_judged = 100

/**
 * The newest videos that fit. A video that the rule would let go at once, because newer ones fill its room, is not fetched.
 * The room counts files and downloads on their way, so failures and deleted files leave it to older videos.
 */
export function choose(rule: Rule, judged: Judged[]): string[] {
  const held = judged.filter(({ standing }) => standing === 'held')
  const waiting = judged.filter(({ standing }) => standing === 'new').slice(0, most_judged)
  // Of two equally new videos, the one that is held comes first: it is not given up for another.
  return [...held, ...waiting.filter(fits(rule))]
    .toSorted((a, b) => b.sort_at.getTime() - a.sort_at.getTime())
    .slice(0, rule.keep_newest ?? undefined)
    .filter(({ standing }) => standing === 'new')
    .map(({ video_id }) => video_id)
}

/** Whether a video is one that the rule is for. */
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
/** An expression that can no longer be read fetches nothing rather than everything. */
const nothing: Pattern = () => false

/** By its address, or because its title says so; how long a video is, feeds do not tell. */
const isShort = ({ title, video_url }: Pick<Judged, 'title' | 'video_url'>): boolean =>
  /^https?:\/\/[^/?#]+\/shorts\//i.test(video_url) || /(?<!\S)#shorts?(?![\p{L}\p{N}_])/iu.test(title)

const folded = (text: string) => text.normalize('NFKC').toLowerCase()

const noSuchChannel = () => new DomainError('not_found', 'You follow no such channel.')
