/** A message to a person: its event, its content, the target that gets it, and the result of sending it. */
import { z } from 'zod'

/** The most urgent last. `download_failed`: for good. `space`: the quota is nearly full. `service`: only for administrators. */
export const MessageEvent = z.enum(['new_video', 'download_completed', 'download_failed', 'space', 'service'])
export type MessageEvent = z.infer<typeof MessageEvent>

/** The most videos that a message names. Its text says how many there are in all. */
export const max_videos_named = 500

const MessageVideo = z.object({
  video_id: z.string(),
  title: z.string(),
  channel_title: z.string(),
  /** The page of the video; null: PUBLIC_URL is not set. */
  url: z.string().nullable(),
})
export type MessageVideo = z.infer<typeof MessageVideo>

/** `title` and `text` are plain text, and may contain the words of strangers. */
export const Message = z.object({
  /** The same each time the message is sent. */
  id: z.guid(),
  event: MessageEvent,
  /** When the latest thing that the message reports happened. */
  at: z.iso.datetime(),
  title: z.string(),
  text: z.string(),
  /** The page to open; null: PUBLIC_URL is not set. */
  url: z.string().nullable(),
  videos: z.array(MessageVideo),
})
export type Message = z.infer<typeof Message>

export const TargetKind = z.enum(['webhook', 'ntfy', 'apprise', 'mail', 'browser'])
export type TargetKind = z.infer<typeof TargetKind>

/**
 * Where a message goes. `token_or_key`, in the column `secret`: the key of a webhook's signature, the access token of ntfy, the token of
 * the link that ends mails, or the keys of a browser as JSON; null: none.
 */
export type MessageTarget = { target_id: string; kind: TargetKind; address: string; token_or_key: string | null }

/** How many messages of all people wait, were delivered and were given up within three days. */
export type MessageCounts = { waiting: number; delivered: number; given_up: number }

/**
 * `detail`: our sentence, with the status of the answer at most. `gone`: the target no longer exists, and is deleted. `retry`: a later
 * attempt may succeed.
 */
export type Delivery = { delivered: true } | { delivered: false; detail: string; gone?: true; retry: boolean }

/** Throws only when `signal` is aborted, whatever the receiver does. */
export type SendMessage = (message: Message, target: MessageTarget, signal?: AbortSignal) => Promise<Delivery>
