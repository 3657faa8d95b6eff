/** Everything that runs, waits, needs somebody or is on disk, over all channels. */
import type { Child } from 'hono/jsx'
import type { Video } from '../schema/video.ts'
import type { PageContext } from './context.ts'
import { Button } from './forms.tsx'
import { Layout } from './layout.tsx'
import { movingIds, Polling } from './polling.tsx'
import { VideoRows } from './video-rows.tsx'
import { bytesWords, countWords } from './words.ts'

export { cellId, DownloadCell } from './download-cell.tsx'
export { DownloadCells, DownloadChanged, Polling } from './polling.tsx'

export type Overview = {
  running: Video[]
  queued: Video[]
  failed: Video[]
  done: Video[]
  on_disk_bytes: number
}

export function DownloadsPage({ page, overview }: { page: PageContext; overview: Overview }) {
  const { running, queued, failed, done } = overview
  const nothing = [running, queued, failed, done].every(videos => videos.length === 0)
  const rows = (title: string, videos: Video[]) => <Section title={title} videos={videos} now={page.now} />
  return (
    <Layout page={page} title="Downloads">
      <header class="heading">
        <h1>Downloads</h1>
        {!nothing && <p class="quiet">{summary(overview)}</p>}
      </header>
      {nothing && (
        <p class="empty">
          Nothing is downloaded yet. Press Download under any video in <a href="/">New</a>, or choose several on the
          page of a <a href="/channels">channel</a>.
        </p>
      )}
      {rows('Running', running)}
      {rows('Waiting', queued)}
      <Section title="Failed" videos={failed} now={page.now}>
        {failed.some(video => !video.queued) && <RetryAll />}
      </Section>
      {rows('On disk', done)}
      <Polling video_ids={movingIds([...running, ...queued, ...failed])} />
    </Layout>
  )
}

/** "1 running · 2 waiting · 1 needs you · 38 on disk, 9.4 GB": what there is none of is not said. */
export function summary({ running, queued, failed, done, on_disk_bytes }: Overview): string {
  const stuck = failed.filter(video => !video.queued).length
  const waiting = queued.length + failed.length - stuck
  return [
    running.length > 0 && `${running.length} running`,
    waiting > 0 && `${waiting} waiting`,
    stuck > 0 && countWords(stuck, 'needs you', 'need you'),
    done.length > 0 && `${done.length} on disk, ${bytesWords(on_disk_bytes)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const RetryAll = () => (
  <form method="post" action="/downloads/retry" class="retry-all">
    <Button>Try all failed again</Button>
  </form>
)

type SectionProps = { title: string; videos: Video[]; now: Date; children?: Child }

const Section = ({ title, videos, now, children }: SectionProps) =>
  videos.length === 0 ? null : (
    <section class="group">
      <div class="group-head">
        <h2>{title}</h2>
        {children}
      </div>
      <VideoRows videos={videos} now={now} />
    </section>
  )
