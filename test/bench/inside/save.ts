/** As a process, in a checkout: saves feeds with 15 new entries for one person. Measures one save. */
import process from 'node:process'
import { median } from '../run/figures.ts'
import { ofCheckout } from '../run/inside.ts'

const { amount, user_id } = JSON.parse(process.argv[2] ?? '{}')
const { connect } = await ofCheckout('src/db/postgres/client.ts')
const { libraryOf } = await ofCheckout('src/db/library.ts')

const sql = connect(process.env.DATABASE_URL ?? '')
const library = libraryOf(sql, user_id)
const channel = { channel_id: 'c1', title: 'Channel 1', rss_url: 'https://videos.example/c1.xml' }
const times: number[] = []
for (let round = 0; round < amount; round++) {
  const entries = Array.from({ length: 15 }, () => {
    const video_id = crypto.randomUUID()
    const video_url = `https://site1.example/${video_id}`
    return { video_id, video_url, title: 'New', thumbnail_url: null, description: 'Bread', published_at: new Date() }
  })
  const began = performance.now()
  await library.channels.save(channel, entries)
  times.push(performance.now() - began)
}
await sql.end()
console.log(JSON.stringify({ value: median(times) }))
