/**
 * Opens the bridge of the network of machines before the first test of a run, and removes it after the last. Chromium fails requests
 * (`ERR_NETWORK_CHANGED`) when this machine gets or loses an address, so no address may change while browsers run.
 */
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { type Bridge, closeBridge, dropBridge, no_network, openBridge } from '../process/network.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent where no test of the run has machines, and where this machine can have none. */
    bridge?: Bridge
  }
}

export default async function setup(project: TestProject) {
  const has_machines = project.vitest.state.getPaths().some(path => path.endsWith('/e2e/machines.test.ts'))
  if (no_network || !has_machines) return
  const bridge = await openBridge().catch(fault => console.warn('The bridge for machines cannot be opened:', fault))
  if (!bridge) return
  project.provide('bridge', bridge)
  const leave = () => dropBridge(bridge)
  process.once('exit', leave)
  return async () => {
    await closeBridge(bridge)
    process.off('exit', leave)
  }
}
