/** One scheduled look at one channel's feed. What a feed fails with stands at the channel; the schedule tries again. */
import type { Task } from 'graphile-worker'
import { libraryOf } from '../src/db/library.ts'
import { refreshChannel } from '../src/domain/channels.ts'
import { DomainError } from '../src/errors.ts'
import { RefreshChannelJob } from '../src/schema/jobs.ts'
import type { Parts } from './parts.ts'

export const refreshChannelTask =
  ({ sql, readFeed, log }: Parts): Task =>
  async payload => {
    const { user_id, channel_id } = RefreshChannelJob.parse(payload)
    try {
      const { saved } = await refreshChannel(libraryOf(sql, user_id), readFeed, channel_id)
      log.debug({ channel_id, ...saved }, 'channel refreshed')
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      log.info({ channel_id, reason: fault.message }, 'a channel could not be refreshed')
    }
  }
