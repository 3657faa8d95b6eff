/** In this process: the dependencies of a worker, each of which refuses to work. A test replaces those it needs. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { claimWatchers, type WorkerParts } from '../../../jobs/worker/parts.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import type { Sql } from '../../../src/db/postgres/client.ts'
import { no_limits } from '../../../src/domain/downloads/room.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { noServer, silent } from './app.ts'

const folder = mkdtempSync(join(inject('run_folder'), 'idle-'))

const notAsked = () => Promise.reject(new Error('nothing of the kind is in this test'))

const claims = claimWatchers()

export const idleParts = (sql: Sql): WorkerParts => ({
  sql: everyoneIn(sql),
  files: filesIn(folder),
  findFeed: notAsked,
  fetchChanges: notAsked,
  checkHost: notAsked,
  sendToHub: notAsked,
  downloadVideo: notAsked,
  fetchPicture: notAsked,
  convertPicture: notAsked,
  findTools: notAsked,
  openServer: noServer,
  listings: { listChannel: notAsked, lookAt: notAsked, fetchCaptions: notAsked },
  toolReport: () => ({
    ytdlp_version: '2026.08.19',
    ytdlp_source: 'own',
    renewal: null,
    ffmpeg_version: '7.1',
    javascript: 'node 24',
    missing: null,
  }),
  careForTools: () => ({ stop() {}, checkNow() {} }),
  expectWatch() {},
  host_limits: { host_concurrency: 2, host_pause_seconds: 0, isOurs: () => false },
  hoursBeginAt: () => undefined,
  shareNow: () => undefined,
  room: no_limits,
  is_sharing: true,
  bin: { hours: 24, quota_bytes: 0 },
  bin_is_here: true,
  watchClaim: claims.watch,
  tellClaim: claims.tell,
  log: silent,
  refresh_interval_minutes: 0,
})
