/** As a process: the bound of a status. Plain node:http with one prepared query of one row and no sign-in; `/` answers without a query. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { connect } from '../../../src/db/postgres/client.ts'

const sql = connect(process.argv[2] ?? '')
await sql`create table if not exists bare (id int primary key, body text not null)`
await sql`insert into bare select n, 'row ' || n from generate_series(1, 1000) n on conflict do nothing`

const server = createServer(async (request, response) => {
  const id = Number(request.url?.slice(1))
  const [row] = id > 0 ? await sql`select id, body from bare where id = ${id}` : [{ id: 0 }]
  response.setHeader('content-type', 'application/json').end(JSON.stringify(row))
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
