/**
 * Starts before the first end-to-end file: opens the bridge of the network of machines. When this machine gets or loses an address, every
 * Chromium on it fails the requests that it is about to send (`ERR_NETWORK_CHANGED`), so that a page may lack a script.
 */
import type { TestProject } from 'vitest/node'
import { type Bridge, closeBridge, no_network, openBridge } from '../process/network.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only the rest has it, and only if this machine can have a network of machines. */
    bridge: Bridge
  }
}

export default async function setup(project: TestProject) {
  if (no_network) return
  const bridge = await openBridge()
  project.provide('bridge', bridge)
  return () => closeBridge(bridge)
}
