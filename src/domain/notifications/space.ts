/** Notes once when a person's quota is nearly full. */
import type { Library } from '../../db/library.ts'

/** `service_bytes`: what the service gives everyone; 0: any number. Costs one look for a person who has no target for it. */
export async function noteSpace({ outbox, space, videos }: Library, service_bytes: number): Promise<void> {
  if (!(await outbox.tellsSpace())) return
  const [quota_bytes, used_bytes] = await Promise.all([space.quota(service_bytes), videos.bytesUsed('')])
  await outbox.noteSpace({ used_bytes, quota_bytes })
}
