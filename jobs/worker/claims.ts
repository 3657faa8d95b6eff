/** Tells the runs of this process at once when their claim may be lost. Their own signs of life would notice a second later. */

export type Claims = {
  /** Calls back when that claim may be lost. Returns how to stop watching. */
  watch(claim: string, onDoubt: () => void): () => void
  tell(claim: string): void
}

export function claimsOfThisProcess(): Claims {
  const watchers = new Map<string, () => void>()
  return {
    watch(claim, onDoubt) {
      watchers.set(claim, onDoubt)
      return () => void watchers.delete(claim)
    },
    tell: claim => watchers.get(claim)?.(),
  }
}
