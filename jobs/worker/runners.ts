/**
 * The runners of a worker: the tasks of each one, and how many of their jobs run at once. Downloads have a runner, because they last long
 * and are skipped by flags. Feeds have one, because feeds that hang would keep the import waiting that a person looks at, or a film.
 * Everything else shares one. There, kinds of work that need a processor or yt-dlp have limits of their own. Kinds of which thousands of
 * jobs may wait are in a few named queues of graphile-worker, so that only a few of these jobs are taken (`lane` of `db/queue/jobs.ts`).
 */
import type { Task, TaskList } from 'graphile-worker'
import { turnsFor } from '../../src/runtime/turns.ts'
import { importTask, loadOlderTask } from '../tasks/channels.ts'
import { cutSoundTask, downloadTask, fileTask, watchNowTask } from '../tasks/downloads.ts'
import { refreshFeedTask, subscribeTask } from '../tasks/feeds.ts'
import { checkHostTask } from '../tasks/hosts.ts'
import { countAgainTask, forgetOldTask, housekeepingTask } from '../tasks/housekeeping.ts'
import { exchangeTask, mediaTask, removeTreesTask } from '../tasks/media.ts'
import { sendMessagesTask } from '../tasks/notifications.ts'
import { picturesTask } from '../tasks/pictures.ts'
import { shareEndedTask, shareRequestedTask } from '../tasks/sharing.ts'
import type { TaskParts } from '../tasks/task-parts.ts'
import { captionsTask, transcriptTask } from '../tasks/transcripts.ts'
import { lookTask } from '../tasks/videos.ts'

export type RunnerPlan = {
  /** `WORKER_CONCURRENCY`: as many as the configuration says. */
  jobs_at_once: number | 'WORKER_CONCURRENCY'
  /** Milliseconds between two looks for jobs whose time has come. The next job of a named queue is found by such a look too. */
  poll_ms: number
  /** `care`: the same with connections for what must wait for no other work. */
  tasks(parts: TaskParts, care: TaskParts): TaskList
  /** Skips jobs by flags. Such a runner takes each job alone; the others take many in one statement. */
  skips_flags?: true
  /** Runs the jobs of the crontab too. */
  has_clock?: true
}

/** The first runner is `downloads`: the report of the worker is stored under its id. */
export const runners = {
  downloads: {
    jobs_at_once: 'WORKER_CONCURRENCY',
    poll_ms: 5000,
    tasks: parts => ({ download: downloadTask(parts) }),
    skips_flags: true,
  },
  feeds: {
    jobs_at_once: 48,
    poll_ms: 5000,
    tasks: parts => ({ 'refresh-feed': refreshFeedTask(parts), 'subscribe-feed': subscribeTask(parts) }),
  },
  work: {
    jobs_at_once: 48,
    poll_ms: 2000,
    tasks: (parts, care) => ({
      ...promptTasks(parts),
      ...careTasks(care),
      ...limited(3, { 'import-channels': importTask(parts) }),
      ...limited(2, { 'share-requested': shareRequestedTask(parts), 'share-ended': shareEndedTask(parts) }),
      ...limited(2, { 'read-transcript': transcriptTask(parts), 'read-file': fileTask(parts) }),
      ...limited(2, { 'load-older': loadOlderTask(parts) }),
      ...limited(2, { 'look-at-videos': lookTask(parts), 'fetch-captions': captionsTask(parts) }),
      ...limited(2, mediaTasks(parts)),
      // They mostly wait for servers.
      ...limited(8, exchangeTasks(parts)),
      // A film takes minutes, and nothing else waits for its sound.
      ...limited(1, { 'cut-sound': cutSoundTask(parts) }),
    }),
    has_clock: true,
  },
} satisfies Record<string, RunnerPlan>

/** Tasks without a limit of their own in this process. */
const promptTasks = (parts: TaskParts): TaskList => ({
  'watch-now': watchNowTask(parts),
  'fetch-pictures': picturesTask(parts),
  'send-messages': sendMessagesTask(parts),
})

const careTasks = (parts: TaskParts): TaskList => ({
  housekeeping: housekeepingTask(parts),
  'forget-old': forgetOldTask(parts),
  'count-again': countAgainTask(parts),
  'look-at-host': checkHostTask(parts),
})

/** Without MEDIA_DIR, these jobs are left to a worker that has it. */
const mediaTasks = ({ media, ...parts }: TaskParts): TaskList =>
  media
    ? { 'update-media': mediaTask({ ...parts, media }), 'remove-media-trees': removeTreesTask({ ...parts, media }) }
    : {}

const exchangeTasks = ({ media, ...parts }: TaskParts): TaskList =>
  media ? { 'exchange-watched': exchangeTask({ ...parts, media }) } : {}

/** The same tasks, of which only so many jobs run at once; the others wait for their turn. */
function limited(most: number, tasks: TaskList): TaskList {
  const inTurn = turnsFor({ most })
  const inItsTurn =
    (task: Task): Task =>
    (payload, helpers) =>
      inTurn('', async () => await task(payload, helpers), helpers.abortSignal)
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, inItsTurn(task as Task)]))
}

/** The tasks of all runners. */
export const allTasks = (parts: TaskParts): TaskList =>
  Object.assign({}, ...Object.values<RunnerPlan>(runners).map(({ tasks }) => tasks(parts, parts)))
