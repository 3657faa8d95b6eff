/**
 * Reads from the configuration where the bucket is and how to sign requests. The operator names this server, so requests to it do not pass the
 * address guard, which is for addresses that people give: a bucket in a private network is usual.
 */
import { bucketNamed, type Config } from '../../config.ts'

export type BucketConfig = Pick<Config, 'DOWNLOADS_DIR'> &
  Partial<
    Pick<
      Config,
      | 'AWS_ACCESS_KEY_ID'
      | 'AWS_SECRET_ACCESS_KEY'
      | 'AWS_SESSION_TOKEN'
      | 'AWS_REGION'
      | 'AWS_ENDPOINT_URL_S3'
      | 'AWS_ENDPOINT_URL'
    >
  >

export type BucketSettings = {
  bucket: string
  /** Empty, or with a slash at its end. */
  prefix: string
  /** The address of the bucket, without a slash at its end. */
  url: string
  region: string
  access_key: string
  secret_key: string
  session_token: string | undefined
}

/** `undefined`: the downloads are in a folder. */
export function bucketSettings(config: BucketConfig): BucketSettings | undefined {
  const named = bucketNamed(config.DOWNLOADS_DIR)
  if (!named) return undefined
  const { AWS_REGION: region = 'us-east-1', AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = config
  return {
    bucket: named.bucket,
    prefix: named.prefix && `${named.prefix}/`,
    url: urlOf(named.bucket, region, AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL),
    region,
    access_key: config.AWS_ACCESS_KEY_ID ?? '',
    secret_key: config.AWS_SECRET_ACCESS_KEY ?? '',
    session_token: config.AWS_SESSION_TOKEN,
  }
}

/** Other servers than Amazon's often have one name for all buckets. A bucket with dots in its name does not fit Amazon's certificate. */
function urlOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint) return `${endpoint.replace(/\/+$/, '')}/${bucket}`
  if (bucket.includes('.')) return `https://s3.${region}.amazonaws.com/${bucket}`
  return `https://${bucket}.s3.${region}.amazonaws.com`
}
