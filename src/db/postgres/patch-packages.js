/**
 * Patches what ends the process when a connection to Postgres is lost, in packages whose options do not reach it: `postgres` 3.4.9 and
 * `graphile-migrate` 1.4.1. Run by `npm ci`, by any Node. Delete a patch when a release has its fix (github.com/porsager/postgres, pull
 * requests 1168, 1176 and 1209).
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** The file, and its text before and after. */
const patches = [
  // Issue 1208: a statement on a connection that is closed, such as the rollback of its transaction, ended the process.
  [
    'postgres/src/connection.js',
    `    if (terminated)
      return queryError(q, Errors.connection('CONNECTION_DESTROYED', options))
`,
    `    if (terminated || !socket)
      return queryError(q, Errors.connection(terminated ? 'CONNECTION_DESTROYED' : 'CONNECTION_CLOSED', options)), !terminated
`,
  ],
  // Issue 1154: what one connection had not sent, and why it ended, was left to the next one, which then said nothing, or failed.
  [
    'postgres/src/connection.js',
    `    socket.removeAllListeners()
    socket = null

    if (initial)`,
    `    socket.removeAllListeners()
    socket = chunk = nextWriteTimer = errorResponse = null

    if (initial)`,
  ],
  // A statement sent between the fault of a connection and its close was never answered. The statement that was lost took the errors of the
  // next connection, and `end` waited for it, also when it had failed already.
  [
    'postgres/src/connection.js',
    `    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    closedTime`,
    `    if (query || sent.length) error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = null
    ended && (ended(), ending = ended = null)
    closedTime`,
  ],
  // The statements of a transaction whose connection was lost went into the next transaction on that connection. One that waited for
  // another statement of its transaction was never answered (issue 1186).
  [
    'postgres/src/index.js',
    `new Promise((_, reject) => connection.onclose = reject)`,
    `new Promise((_, reject) => connection.onclose = e => {
          lost = e
          while (queries.length) queries.shift().reject(e)
          reject(e)
        })`,
  ],
  [
    'postgres/src/index.js',
    `      , prepare = null

    try {`,
    `      , prepare = null
      , lost = null

    try {`,
  ],
  [
    'postgres/src/index.js',
    `        q.catch(e => uncaughtError || (uncaughtError = e))
`,
    `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost) return q.reject(lost)
`,
  ],
  // It exits when an idle connection fails, and no code hears of the error of another one. The statements of the migration fail.
  [
    'graphile-migrate/dist/pgReal.js',
    `                error,
            });
            process.exit(1);
`,
    `                error,
            });
        });
        pool.on("connect", (client) => {
            client.on("error", () => { });
`,
  ],
]

for (const [name, before = '', after = ''] of patches) {
  const file = new URL(`../../../node_modules/${name}`, import.meta.url)
  const found = readFileSync(file, 'utf8')
  if (found.includes(before))
    writeFileSync(
      file,
      found.replace(before, () => after),
    )
  else if (!found.includes(after))
    throw new Error(`src/db/postgres/patch-packages.js does not fit this version of ${name}.`)
}
