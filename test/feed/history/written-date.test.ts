import { describe, expect, it } from 'vitest'
import { writtenDate } from '../../../src/feed/history/written-date.ts'

describe('a date of a Takeout history in HTML is read', () => {
  const at = (time: string, ...written: string[]) => written.map((text): [string, string] => [text, time])
  it.each<[string, string]>([
    ...at(
      '2023-09-05T22:11:12.000Z',
      'Sep 5, 2023, 10:11:12\u202fPM EST',
      '5 Sept 2023, 22:11:12 BST',
      '05.09.2023, 22:11:12 MESZ',
      '5 sept. 2023, 22:11:12 CEST',
      '5 sept. 2023 22:11:12 CEST',
      '5 sep 2023, 22:11:12 CEST',
      '5 set 2023, 22:11:12 CEST',
      '5 de set. de 2023 22:11:12 BRT',
      '5 вер. 2023 р., 22:11:12 EEST',
      '5 сент. 2023 г., 22:11:12 MSK',
      '5 wrz 2023, 22:11:12 CEST',
      '2023/09/05 22:11:12 JST',
      '2023年9月5日 22:11:12 CST',
      '2023. 9. 5. 오후 10:11:12 KST',
      '2023. szept. 5. 22:11:12 CEST',
      '5 Eyl 2023 22:11:12 TRT',
      '5.9.2023 klo 22.11.12 UTC+3',
    ),
    ...at(
      '2024-12-25T15:05:12.000Z',
      '25‏/12‏/2024، 3:05:12 م غرينتش+3',
      '٢٥‏/١٢‏/٢٠٢٤، ٣:٠٥:١٢ م',
      '25 ديسمبر 2024، 3:05:12 م UTC',
      '25 בדצמ׳ 2024, 15:05:12 IST',
      '25 דצמ 2024, 15:05:12 IST',
      '15:05:12 25 thg 12, 2024 ICT',
      '25 ธ.ค. 2567 15:05:12 ICT',
      '25 ธ.ค. 2024 15:05:12 ICT',
      '25 दिस॰ 2024, 3:05:12 pm IST',
      '25 ডিসে, 2024, 3:05:12 PM IST',
      '۵ دی ۱۴۰۳، ۱۵:۰۵:۱۲',
      '25. pro 2024. 15:05:12 CET',
      '2024년 12월 25일 오후 3시 5분 12초 KST',
      '2024年12月25日 下午3:05:12 [台北標準時間]',
      '25 dic 2024, 3:05:12 p.m. CST',
      '25 déc. 2024, 15 h 05 min 12 s EST',
      '25 déc. 2024, 15 h 05 min 12 s HNE',
      '2024. dec. 25. 15:05:12 CET',
      '25 Dis 2024, 3:05:12 PTG MYT',
      'Dis 25, 2024, 3:05:12 PM PST',
      '25 டிச., 2024, பிற்பகல் 3:05:12 IST',
      '25 డిసెం, 2024 3:05:12 PM IST',
      '25 डिसें, 2024, 3:05:12 PM IST',
      '25 دسمبر، 2024، 3:05:12 PM PKT',
      '2024-12-25, 3:05:12 p.m. EST',
    ),
    ['5. lip 2024. 15:05:12 CEST', '2024-06-05T15:05:12.000Z'],
    ['5 lip 2024, 15:05:12 CEST', '2024-07-05T15:05:12.000Z'],
    ['5. srp 2024. 15:05:12 CEST', '2024-07-05T15:05:12.000Z'],
    ['5. srp 2024 15:05:12 CEST', '2024-08-05T15:05:12.000Z'],
    ['5. lis 2024. 15:05:12 CET', '2024-10-05T15:05:12.000Z'],
    ['5 lis 2024, 15:05:12 CET', '2024-11-05T15:05:12.000Z'],
    ['5 September 2023', '2023-09-05T00:00:00.000Z'],
    ['5 Sep 2023', '2023-09-05T00:00:00.000Z'],
    ['12:30 AM, Sep 5, 2023', '2023-09-05T00:30:00.000Z'],
  ])('%s', (written, time) => {
    const ms = writtenDate(written)
    expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(time)
  })

  it.each([
    'gestern',
    '',
    '5 2023',
    '2024 lip 5',
    '31 Feb 2023',
    '99.99.2023',
    'Channel of 1999',
    '۵ دی ۲۴۰۳',
    'x'.repeat(100_000),
  ])('%s is no date', written => {
    expect(writtenDate(written)).toBeUndefined()
  })
})
