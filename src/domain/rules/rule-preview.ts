/** What saving a rule would do now. It makes the same judgement as `rules.ts`, from the same queries, and saves nothing. */
import type { Library } from '../../db/library.ts'
import type { JudgedVideo } from '../../db/rules/rule-judging.ts'
import type { Outlook } from '../../db/rules/rule-outlook.ts'
import type { Rule, RulePreview } from '../../schema/rules/rule.ts'
import { judge, perWeek, reasonsOf } from './judging.ts'
import { withoutRule } from './rules.ts'

export async function previewRule(
  library: Library,
  channel_id: string,
  rule: Rule,
  now = new Date(),
): Promise<RulePreview> {
  const outlook = await library.rules.outlook(channel_id, rule)
  if (!outlook) throw await withoutRule(library, channel_id)
  return previewOf(rule, outlook, now)
}

const most_shown = 200

export function previewOf(rule: Rule, outlook: Outlook, now: Date): RulePreview {
  const { videos, newest, to_delete, delete_count, only_copies, has_more, left_today } = outlook
  const verdicts = new Map(judge(rule, videos, left_today).map(({ video_id, reason }) => [video_id, reason]))
  const reasonAgainst = reasonsOf(rule)
  const listed = new Map(
    [...videos.filter(({ state }) => state === 'new'), ...newest].map(video => [video.video_id, video]),
  )
  const judged = [...listed.values()]
    .toSorted((a, b) => b.sort_at.getTime() - a.sort_at.getTime())
    .map(video => ({ ...shown(video), reason: reasonFor(video) }))
  const requested = new Set(judged.filter(({ reason }) => reason === null).map(({ video_id }) => video_id))
  return {
    would_download: judged.filter(({ reason }) => reason === null).map(shown),
    would_delete: to_delete,
    delete_count,
    only_copies,
    skipped: judged
      .flatMap(({ reason, ...video }) => (reason === null ? [] : { ...video, reason }))
      .slice(0, most_shown),
    newest_count: newest.length,
    newest_downloads: newest.filter(({ video_id }) => requested.has(video_id)).length,
    has_more,
    per_week: rule.auto_download ? perWeek(rule, newest, now) : null,
  }

  /** A video that fits but is not to be judged any more was there before. */
  function reasonFor(video: JudgedVideo): string | null {
    if (!rule.auto_download) return 'Auto-download is off'
    const verdict = verdicts.get(video.video_id)
    if (verdict !== undefined && video.state === 'new') return verdict
    if (video.state === 'held') return 'Already downloaded or queued'
    if (video.state === 'spent') return 'Requested before'
    return reasonAgainst(video) ?? 'Older than the rule'
  }
}

const shown = ({ video_id, title, published_at }: Pick<JudgedVideo, 'video_id' | 'title' | 'published_at'>) => ({
  video_id,
  title,
  published_at,
})
