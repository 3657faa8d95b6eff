/** Checks that a bucket answers, and says to the operator what is wrong when it does not. */
import { Late, within } from '../../runtime/within.ts'
import type { BucketClient } from './client.ts'
import { BucketError } from './faults.ts'
import { check } from './requests.ts'

/**
 * Throws one sentence for the operator when the bucket does not answer within so many milliseconds. The code of the error is one of those
 * of `awaySentence`.
 */
export async function requireBucket(client: BucketClient, ms = 60_000): Promise<void> {
  await within(ms, check(client)).catch((fault: unknown) => {
    const why = fault instanceof Late ? new BucketError('away', '', fault.message) : fault
    if (!(why instanceof BucketError)) throw why
    throw Object.assign(new Error(sentenceOf(why, client), { cause: fault }), { code: why.code })
  })
}

function sentenceOf({ fault, s3_code }: BucketError, { settings: { url, bucket } }: BucketClient): string {
  const { origin } = new URL(url)
  const answer = s3_code ? ` (${s3_code})` : ''
  if (fault === 'no_bucket')
    return `There is no bucket ${bucket} at ${origin}${answer}. Create it, or check DOWNLOADS_DIR.`
  if (fault === 'refused')
    return `${origin} does not let us list the bucket ${bucket}${answer}. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions of the key.`
  if (fault === 'skewed')
    return `The clocks of this machine and of the object storage at ${origin} differ by minutes${answer}. Set the one that is wrong.`
  if (fault === 'away')
    return `The object storage at ${origin} does not answer${answer}. Check AWS_ENDPOINT_URL_S3 and the network.`
  return `The object storage at ${origin} did not list the bucket ${bucket}${answer}. Check DOWNLOADS_DIR and AWS_REGION.`
}
