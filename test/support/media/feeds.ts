/** On disk: reads the feeds of test/fixtures, each named for what is wrong with it. */
import { readFileSync } from 'node:fs'
import type { FetchedDocument } from '../../../src/feed/formats/parse.ts'

export const bytesOf = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/feeds/${name}`, import.meta.url)))

export const documentOf = (
  body: string | Uint8Array,
  { url = 'https://host.example/feed.xml', content_type = '' } = {},
): FetchedDocument => ({ url, content_type, body: typeof body === 'string' ? new TextEncoder().encode(body) : body })
