/** Messages and targets for tests of those who send them. */
import type { Message, MessageTarget, TargetKind } from '../../../src/schema/notifications/message.ts'

export const message: Message = {
  id: '6f1d3c1e-7a51-4c5e-9a35-2f3c0a8a1f10',
  event: 'new_video',
  at: '2026-11-27T12:00:00.000Z',
  title: 'Two new videos — Brot & Bücher',
  text: 'Baking: two new videos',
  url: 'https://tv.example/channels/baking',
  videos: [
    { video_id: 'v1', title: 'Rye', channel_title: 'Baking', url: 'https://tv.example/watch/v1' },
    { video_id: 'v2', title: 'Wheat "and" <more>', channel_title: 'Baking', url: 'https://tv.example/watch/v2' },
  ],
}

/** A title as a hostile channel would choose it. */
export const hostile_titles = [
  'Harmless\r\nBcc: victim@example.org\r\n\r\nA body of a stranger',
  'Harmless\nX-Injected: yes',
  'Harmless\rX-Injected: yes',
  'Harmless\u2028X-Injected: yes\u0000\u0007',
  '=?utf-8?B?SW5qZWN0ZWQ6IHllcw0K?=',
  '"><script>alert(1)</script>',
  `${'Ä long title 🍞 '.repeat(400)}`,
  'שלום \u202emoc.elpmaxe',
]

export const targetAt = (kind: TargetKind, address: string, token_or_key: string | null = null): MessageTarget => ({
  target_id: '0d3f3c1e-7a51-4c5e-9a35-2f3c0a8a1f10',
  kind,
  address,
  token_or_key,
})
