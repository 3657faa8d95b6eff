import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openStorage, requireStorage } from '../../src/store/storage.ts'
import { type Bucket, startBucket } from '../support/app/bucket.ts'
import { newFolder } from '../support/run/new-folder.ts'

const DATA_DIR = newFolder()
let bucket: Bucket
beforeAll(async () => {
  bucket = await startBucket()
})
afterAll(() => bucket.stop())

const start = (changes: Partial<Bucket['variables']> = {}) =>
  requireStorage({ DATA_DIR, ...bucket.variables, ...changes })

describe('the start of a service with a bucket', () => {
  it('a service with a bucket starts when the bucket answers', async () => {
    expect(await start()).toBe(false)
  })

  it.each([
    ['the bucket is missing', { DOWNLOADS_DIR: 's3://nothing' }, 'There is no bucket nothing at http'],
    ['the access key is unknown', { AWS_ACCESS_KEY_ID: 'unknown' }, 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY'],
    ['the secret key is wrong', { AWS_SECRET_ACCESS_KEY: 'wrong-one' }, '(SignatureDoesNotMatch)'],
    ['nothing answers', { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1 does not answer'],
  ])('the start says what to do when %s, and names no key', async (_, changes, sentence) => {
    const fault = await start(changes).catch((fault: Error) => fault.message)
    expect(fault).toContain(sentence)
    expect(fault).not.toMatch(/S3RVER|wrong-one/)
  })
})

it('a folder that loses permissions counts only if it has files of ours, which other users may have read', async () => {
  const DOWNLOADS_DIR = newFolder()
  const before = process.umask(0o077)
  onTestFinished(() => void process.umask(before))
  const startOpen = async () => {
    await chmod(DOWNLOADS_DIR, 0o755)
    return start({ DOWNLOADS_DIR })
  }
  expect(await startOpen()).toBe(false)
  await writeFile(join(DOWNLOADS_DIR, '.backlot'), '')
  expect(await startOpen()).toBe(true)
  expect(await start({ DOWNLOADS_DIR })).toBe(false)
})

it('the work folders of a service with a bucket are on its own disk', async () => {
  const files = openStorage({ DATA_DIR, ...bucket.variables })
  expect(await files.freeBytes()).toBeGreaterThan(0)
  const folder = await files.workFolder({ user_id: crypto.randomUUID() as never, video_id: 'v', claim: 'c' })
  expect(folder.startsWith(join(DATA_DIR, 'work'))).toBe(true)
})
