import { describe, expect, it } from 'vitest'
import { writtenDate } from '../../../src/feed/history/written-date.ts'

describe('a date of a Takeout history in HTML is read', () => {
  it.each([
    ['Sep 5, 2023, 10:11:12\u202fPM EST', '2023-09-05T22:11:12.000Z'],
    ['5 Sept 2023, 22:11:12 BST', '2023-09-05T22:11:12.000Z'],
    ['05.09.2023, 22:11:12 MESZ', '2023-09-05T22:11:12.000Z'],
    ['5 sept. 2023, 22:11:12 CEST', '2023-09-05T22:11:12.000Z'],
    ['5 sept. 2023 22:11:12 CEST', '2023-09-05T22:11:12.000Z'],
    ['5 sep 2023, 22:11:12 CEST', '2023-09-05T22:11:12.000Z'],
    ['5 set 2023, 22:11:12 CEST', '2023-09-05T22:11:12.000Z'],
    ['5 de set. de 2023 22:11:12 BRT', '2023-09-05T22:11:12.000Z'],
    ['5 вер. 2023 р., 22:11:12 EEST', '2023-09-05T22:11:12.000Z'],
    ['5 сент. 2023 г., 22:11:12 MSK', '2023-09-05T22:11:12.000Z'],
    ['5 wrz 2023, 22:11:12 CEST', '2023-09-05T22:11:12.000Z'],
    ['2023/09/05 22:11:12 JST', '2023-09-05T22:11:12.000Z'],
    ['2023年9月5日 22:11:12 CST', '2023-09-05T22:11:12.000Z'],
    ['2023. 9. 5. 오후 10:11:12 KST', '2023-09-05T22:11:12.000Z'],
    ['2023. szept. 5. 22:11:12 CEST', '2023-09-05T22:11:12.000Z'],
    ['5 Eyl 2023 22:11:12 TRT', '2023-09-05T22:11:12.000Z'],
    ['5.9.2023 klo 22.11.12 UTC+3', '2023-09-05T22:11:12.000Z'],
    ['5 Sep 2023', '2023-09-05T00:00:00.000Z'],
  ])('%s', (written, time) => {
    const ms = writtenDate(written)
    expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(time)
  })

  it.each(['gestern', '', '5 2023', '99.99.2023', 'Channel of 1999', 'x'.repeat(100_000)])('%s is no date', written => {
    expect(writtenDate(written)).toBeUndefined()
  })
})
