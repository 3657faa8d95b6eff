/** What administrators may know of the service over all people, and its repairs: counts and hosts, and never whose they are. */
import type { FailingSite } from '../../schema/service/health.ts'
import type { DownloadJob } from '../../schema/service/jobs.ts'
import { everyoneIn } from '../everyone.ts'
import { liftPauses } from '../queue/host-pauses.ts'
import { failedDownloads, listHosts } from '../service/everyone/inspection.ts'
import { wantToolCheck } from '../service/everyone/operations.ts'
import { actIn, type Means } from './acts.ts'

export type ServiceDesk = ReturnType<typeof serviceOf>

export function serviceOf(means: Means) {
  const everyone = everyoneIn(means.sql)

  return {
    /** The sites at which downloads fail, or that are paused; the most failures first. */
    async sites(): Promise<FailingSite[]> {
      const hosts = await listHosts(everyone, max_sites, 'failing')
      return hosts.map(({ running, waiting, ...site }) => site)
    },

    /** Ends every pause of a host, whatever it is for, for everyone and for each person. Returns how many there were. */
    endPauses: (host: string): Promise<number> =>
      actIn(means, async (tx, write) => {
        const lifted = await liftPauses(tx, host)
        if (lifted > 0) await write({ act: 'pause_ended', username: null, detail: host })
        return lifted
      }),

    /** Records that these downloads are requested again, and returns them. `host`: absent, from any. */
    beginRetry: (host?: string): Promise<DownloadJob[]> =>
      actIn(means, async (tx, write) => {
        const failed = await failedDownloads(everyoneIn(tx), host)
        if (failed.length > 0) await write({ act: 'downloads_retried', username: null, detail: host ?? '' })
        return failed
      }),

    /** Every worker that keeps its own yt-dlp looks for a newer version now. */
    checkTools: (): Promise<void> =>
      actIn(means, async (tx, write) => {
        await wantToolCheck(everyoneIn(tx))
        await write({ act: 'tools_renewed', username: null })
      }),
  }
}

const max_sites = 50
