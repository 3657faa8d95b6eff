/** Checks at the start that the bucket answers, and says what to do if not. */
import type { BucketClient } from './client.ts'
import { BucketError } from './faults.ts'
import { requestsTo } from './requests.ts'

/** Throws one sentence for the operator. */
export async function requireBucket(client: BucketClient): Promise<void> {
  await requestsTo(client)
    .check()
    .catch((fault: unknown) => {
      if (!(fault instanceof BucketError)) throw fault
      throw new Error(sentenceOf(fault, client), { cause: fault })
    })
}

function sentenceOf({ fault, s3_code }: BucketError, { settings: { url, bucket } }: BucketClient): string {
  const { origin } = new URL(url)
  const answer = s3_code ? ` (${s3_code})` : ''
  if (fault === 'no_bucket')
    return `There is no bucket ${bucket} at ${origin}${answer}. Create it, or check DOWNLOADS_DIR.`
  if (fault === 'refused')
    return `${origin} does not let us list the bucket ${bucket}${answer}. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions of the key.`
  if (fault === 'away')
    return `The object storage at ${origin} does not answer${answer}. Check AWS_ENDPOINT_URL_S3 and the network.`
  return `The object storage at ${origin} did not list the bucket ${bucket}${answer}. Check DOWNLOADS_DIR and AWS_REGION.`
}
