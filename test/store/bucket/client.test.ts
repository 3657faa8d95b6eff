import { afterEach, expect, it, vi } from 'vitest'
import { bucketClient, bucketSettings } from '../../../src/store/bucket/client.ts'

afterEach(() => vi.useRealTimers())

/** The key, the time and the signature are Amazon's published example. */
it('an address is signed as in the example of Amazon', async () => {
  vi.useFakeTimers({ now: new Date('2013-05-24T00:00:00Z'), toFake: ['Date'] })
  const client = bucketClient({
    bucket: 'examplebucket',
    prefix: '',
    url: 'https://examplebucket.s3.amazonaws.com',
    region: 'us-east-1',
    access_key: 'AKIAIOSFODNN7EXAMPLE',
    secret_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    session_token: undefined,
  })
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
  expect(Object.fromEntries(new URL(await client.signedUrl('test.txt', {}, 86_400)).searchParams)).toEqual({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  })
})

const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }

it.each([
  [
    'a bucket of Amazon',
    { AWS_REGION: 'eu-west-1' },
    's3://films/a/b',
    'https://films.s3.eu-west-1.amazonaws.com',
    'a/b/',
  ],
  ['a name with dots', { AWS_REGION: 'eu-west-1' }, 's3://my.films', 'https://s3.eu-west-1.amazonaws.com/my.films', ''],
  ['another server', { AWS_ENDPOINT_URL: 'http://[::1]:9000/' }, 's3://films/', 'http://[::1]:9000/films', ''],
  [
    'two servers, of which the one for S3 counts',
    { AWS_ENDPOINT_URL: 'http://other', AWS_ENDPOINT_URL_S3: 'https://minio.lan' },
    's3://films/x/',
    'https://minio.lan/films',
    'x/',
  ],
])('%s has an address', (_, variables, DOWNLOADS_DIR, url, prefix) => {
  expect(bucketSettings({ DOWNLOADS_DIR, ...keys, ...variables })).toMatchObject({ url, prefix })
})

it('a session token is sent with every request, and is part of signed addresses', async () => {
  const settings = bucketSettings({
    DOWNLOADS_DIR: 's3://films',
    ...keys,
    AWS_SESSION_TOKEN: 'to+ken=',
    AWS_REGION: 'x',
  })
  const url = settings && (await bucketClient(settings).signedUrl('a b', {}, 60))
  expect(new URL(url ?? '').searchParams.get('X-Amz-Security-Token')).toBe('to+ken=')
})
