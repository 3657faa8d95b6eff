/** Records once when a person's quota is nearly full. */
import type { Library } from '../../db/library.ts'

/** `service_bytes`: the quota that the operator sets for all; 0: no limit. For a person without a target for `space` this is one query. */
export async function recordSpace({ outbox, space, videos }: Library, service_bytes: number): Promise<void> {
  if (!(await outbox.hasTargetFor('space'))) return
  const [quota_bytes, used_bytes] = await Promise.all([space.quota(service_bytes), videos.bytesUsed('')])
  await outbox.recordSpace({ used_bytes, quota_bytes })
}
