/** Loading the older videos of a channel: how far it is, and how it ended. */
import { z } from 'zod'

export const BackfillState = z.enum(['never', 'queued', 'running', 'done', 'incomplete', 'failed', 'cancelled'])
export type BackfillState = z.infer<typeof BackfillState>

export const Backfill = z
  .object({
    state: BackfillState.describe(
      '`never`: not requested yet. `queued`: for a worker, or for the next attempt; `error` then says why. `running`: a worker reads the list. `done`: the whole list was read. `incomplete`: only a part was read. `failed`: nothing could be read. `cancelled`: you stopped it.',
    ),
    found: z.number().int().describe('How many videos of the list were read so far, known ones included.'),
    saved: z.number().int().describe('How many of them are new in your list.'),
    started_at: z.date().nullable().describe('When a worker began to read the list; null: not yet.'),
    finished_at: z.date().nullable().describe('When it ended; null: it has not ended.'),
    error: z
      .string()
      .nullable()
      .describe('Why it is incomplete, has failed, or waits for another attempt, as a sentence; null: no reason.'),
  })
  .meta({ id: 'Backfill' })
export type Backfill = z.infer<typeof Backfill>

/** With what only pages show. `next_attempt_at`: when a worker tries again; null: as soon as one is free, or never. */
export type ShownBackfill = Backfill & { next_attempt_at: Date | null }

export const isUnfinished = ({ state }: Pick<Backfill, 'state'>): boolean => state === 'queued' || state === 'running'
