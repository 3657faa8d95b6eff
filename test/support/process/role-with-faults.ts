/**
 * As a process: a role of the service in which faults come that no code catches, once it is ready: first one of the driver of the database,
 * then one of our own.
 */
import '../../../src/runtime/modules.ts'

const { startRole } = await import('../../../src/roles.ts')
await startRole()

const of_driver = new Error('a fault of the driver')
of_driver.stack = `Error: a fault of the driver
    at Immediate.nextWrite (file:///app/node_modules/postgres/src/connection.js:255:22)
    at process.processImmediate (node:internal/timers:485:21)`
const faults = [of_driver, new Error('a fault of our own')]
setInterval(() => {
  throw faults.shift()
}, 100)
