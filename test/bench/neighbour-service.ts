/** Runs the web role as a separate process. The argument `lifted` removes the limits on open files. */
import process from 'node:process'
import { pino } from 'pino'
import { createApp } from '../../src/app.tsx'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/db/postgres/client.ts'
import { createDiscover } from '../../src/domain/channels/discovery.ts'
import { webSources } from '../../src/domain/channels/sources.ts'
import { filesIn } from '../../src/domain/downloads/files.ts'
import { createFeedReader } from '../../src/feed/fetch/feed-reader.ts'
import { addressPolicy } from '../../src/net/addresses.ts'
import { usual_streams } from '../../src/routes/middleware/open-streams.ts'
import { usual_limits } from '../../src/routes/middleware/request-limits.ts'
import { search_connections } from '../../src/routes/middleware/turn-limits.ts'
import { serve } from '../../src/runtime/serve.ts'
import { lazyTools } from '../../src/ytdlp/tools/lazy-tools.ts'

const config = readConfig(process.env)
const policy = addressPolicy(config.ALLOWED_ADDRESSES)
const app = await createApp({
  sql: connect(config.DATABASE_URL ?? ''),
  search_sql: connect(config.DATABASE_URL ?? '', { max: search_connections }),
  files: filesIn(config.DOWNLOADS_DIR),
  readFeed: createFeedReader({ policy }),
  discover: createDiscover(webSources(policy, lazyTools(config, { fetch: false }))),
  log: pino({ level: 'silent' }),
  config,
  limits:
    process.argv[2] === 'lifted'
      ? { ...usual_limits, streams: { ...usual_streams, of_person: 1e6, at_address: 1e6 } }
      : usual_limits,
})
const server = await serve(app.fetch, '127.0.0.1', 0)
process.send?.(new URL(server.url).port)
