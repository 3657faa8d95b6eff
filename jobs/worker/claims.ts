/** Tells the runs of this process when their claim may be lost. Without it, the next heartbeat would notice a second later. */

export type ClaimWatchers = {
  /** Calls `onDoubt` when that claim may be lost. Returns a function that stops watching. */
  watch(claim: string, onDoubt: () => void): () => void
  tell(claim: string): void
}

export function claimWatchers(): ClaimWatchers {
  const watchers = new Map<string, () => void>()
  return {
    watch(claim, onDoubt) {
      watchers.set(claim, onDoubt)
      return () => void watchers.delete(claim)
    },
    tell: claim => watchers.get(claim)?.(),
  }
}
