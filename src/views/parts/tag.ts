/** A short mark of a text, to see whether it is the same as before. Pure, and no secret: FNV-1a, of 32 bits. */
export function tagOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
