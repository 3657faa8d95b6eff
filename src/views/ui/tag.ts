/** A short hash of a text (32-bit FNV-1a), to see whether it has changed. Not for secrets. */
export function tagOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
