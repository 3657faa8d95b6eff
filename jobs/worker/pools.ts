/**
 * The pools of a worker: the tasks of each one, and how many of its jobs run at once. Each kind of work has a pool of its own, so that
 * long downloads and slow feeds delay nothing else, and housekeeping never waits.
 */
import type { TaskList } from 'graphile-worker'
import { importTask, loadOlderTask } from '../tasks/channels.ts'
import { max_watched_at_once } from '../tasks/download-slots.ts'
import { downloadTask, fileTask, watchNowTask } from '../tasks/downloads.ts'
import { refreshFeedTask, subscribeTask } from '../tasks/feeds.ts'
import { checkHostTask } from '../tasks/hosts.ts'
import { housekeepingTask } from '../tasks/housekeeping.ts'
import { mediaTask, removeTreesTask } from '../tasks/media.ts'
import { sendMessagesTask } from '../tasks/notifications.ts'
import { picturesTask } from '../tasks/pictures.ts'
import { shareEndedTask, shareRequestedTask } from '../tasks/sharing.ts'
import { cutSoundTask } from '../tasks/sounds.ts'
import type { TaskParts } from '../tasks/task-parts.ts'
import { captionsTask, transcriptTask } from '../tasks/transcripts.ts'
import { lookTask } from '../tasks/videos.ts'

export type PoolPlan = {
  /** `WORKER_CONCURRENCY`: as many as the configuration says. The jobs of the other pools mostly wait for other servers. */
  jobs_at_once: number | 'WORKER_CONCURRENCY'
  tasks(parts: TaskParts): TaskList
  /** Skips jobs that it would have to put back into the queue at once. */
  skips_blocked?: true
  /** Takes as many jobs in one statement as it runs at once, which costs an eighth of taking each alone. */
  takes_many?: true
  /** Milliseconds between two checks for jobs that no notification announced; the default is 2000. */
  check_ms?: number
  /** Runs the jobs of the crontab too. */
  has_clock?: true
}

/** The first pool is `downloads`: the report of the worker is stored under its id. */
export const pools = {
  downloads: {
    jobs_at_once: 'WORKER_CONCURRENCY',
    tasks: parts => ({ download: downloadTask(parts) }),
    skips_blocked: true,
  },
  // Downloads that a person wants to watch start although all slots are taken.
  watched: {
    jobs_at_once: max_watched_at_once,
    tasks: parts => ({ 'watch-now': watchNowTask(parts) }),
  },
  shares: {
    jobs_at_once: 2,
    tasks: parts => ({
      'share-requested': shareRequestedTask(parts),
      'share-ended': shareEndedTask(parts),
      'read-transcript': transcriptTask(parts),
      'read-file': fileTask(parts),
    }),
  },
  // A film takes minutes, and nothing else waits for its sound.
  sounds: {
    jobs_at_once: 1,
    tasks: parts => ({ 'cut-sound': cutSoundTask(parts) }),
  },
  feeds: {
    jobs_at_once: 48,
    tasks: parts => ({ 'refresh-feed': refreshFeedTask(parts), 'subscribe-feed': subscribeTask(parts) }),
    takes_many: true,
  },
  // The next part of an import becomes free without a notification when the part before it ends.
  imports: {
    jobs_at_once: 3,
    tasks: parts => ({ 'import-channels': importTask(parts) }),
    check_ms: 500,
  },
  listings: {
    jobs_at_once: 2,
    tasks: parts => ({ 'load-older': loadOlderTask(parts) }),
  },
  looks: {
    jobs_at_once: 2,
    tasks: parts => ({ 'look-at-videos': lookTask(parts), 'fetch-captions': captionsTask(parts) }),
  },
  // Without MEDIA_DIR, these jobs are left to a worker that has it.
  media: {
    jobs_at_once: 2,
    tasks: ({ media, ...parts }) => (media ? mediaTasks({ ...parts, media }) : {}),
  },
  // One job fetches the pictures of one host.
  pictures: {
    jobs_at_once: 12,
    tasks: parts => ({ 'fetch-pictures': picturesTask(parts) }),
    takes_many: true,
  },
  // One job sends the messages of one person.
  messages: {
    jobs_at_once: 8,
    tasks: parts => ({ 'send-messages': sendMessagesTask(parts) }),
  },
  care: {
    jobs_at_once: 1,
    tasks: parts => ({ housekeeping: housekeepingTask(parts), 'look-at-host': checkHostTask(parts) }),
    has_clock: true,
  },
} satisfies Record<string, PoolPlan>

const mediaTasks = (parts: TaskParts & { media: NonNullable<TaskParts['media']> }): TaskList => ({
  'update-media': mediaTask(parts),
  'remove-media-trees': removeTreesTask(parts),
})

/** The tasks of all pools. */
export const allTasks = (parts: TaskParts): TaskList =>
  Object.assign({}, ...Object.values<PoolPlan>(pools).map(({ tasks }) => tasks(parts)))
