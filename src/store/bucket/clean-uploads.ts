/** Aborts uploads of runs that died. Their parts take up space in the bucket, but no list of files shows them. */
import { z } from 'zod'
import type { BucketRequests } from './requests.ts'

/** No upload takes longer: at one megabyte a second, 86 GB are sent in this time. */
const longest_ms = 24 * 3_600_000
/** Housekeeping runs every minute, and a list of uploads costs money at Amazon. */
const between_ms = 3_600_000

export function cleanUploads(requests: BucketRequests, prefix: string): (now: Date) => Promise<void> {
  let cleaned_ms = Number.NEGATIVE_INFINITY
  return async now => {
    if (now.getTime() - cleaned_ms < between_ms) return
    cleaned_ms = now.getTime()
    for (const upload of await requests.listUploads(prefix))
      if (isOfRun(upload.key, prefix) && now.getTime() - upload.started_at.getTime() > longest_ms)
        await requests.abort(upload)
  }
}

/** Other programs may use the same bucket. Runs upload to the folders of users only. */
const isOfRun = (key: string, prefix: string) => z.uuid().safeParse(key.slice(prefix.length).split('/')[0]).success
