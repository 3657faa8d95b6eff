/** Text of files that declare no encoding, written by programs of many countries. The bytes were made with Python's codecs. */
import { expect, it } from 'vitest'
import { anyTextOf } from '../../../src/feed/markup/any-text.ts'

/** By language: a text, and its bytes in every encoding. */
const samples: Record<string, { text: string } & Record<string, string>> = {
  ru: {
    text: 'Привет мир, как твои дела сегодня? Мы поедем на дачу.',
    cp1251:
      'cff0e8e2e5f220ece8f02c20eae0ea20f2e2eee820e4e5ebe020f1e5e3eee4edff3f20ccfb20efeee5e4e5ec20ede020e4e0f7f32e',
    'koi8-r':
      'f0d2c9d7c5d420cdc9d22c20cbc1cb20d4d7cfc920c4c5ccc120d3c5c7cfc4ced13f20edd920d0cfc5c4c5cd20cec120c4c1ded52e',
    cp866: '8fe0a8a2a5e220aca8e02c20aaa0aa20e2a2aea820a4a5aba020e1a5a3aea4adef3f208ceb20afaea5a4a5ac20ada020a4a0e7e32e',
    'iso8859-5':
      'bfe0d8d2d5e220dcd8e02c20dad0da20e2d2ded820d4d5dbd020e1d5d3ded4ddef3f20bceb20dfded5d4d5dc20ddd020d4d0e7e32e',
  },
  uk: {
    text: 'Привіт, як справи? Ми їдемо до Києва завтра вранці.',
    cp1251: 'cff0e8e2b3f22c20ffea20f1eff0e0e2e83f20cce820bfe4e5ecee20e4ee20cae8bae2e020e7e0e2f2f0e020e2f0e0edf6b32e',
    'koi8-u': 'f0d2c9d7a6d42c20d1cb20d3d0d2c1d7c93f20edc920a7c4c5cdcf20c4cf20ebc9a4d7c120dac1d7d4d2c120d7d2c1cec3a62e',
  },
  bg: {
    text: 'Здравей свят, как си днес? Отиваме на планина.',
    cp1251: 'c7e4f0e0e2e5e920f1e2fff22c20eae0ea20f1e820e4ede5f13f20cef2e8e2e0ece520ede020efebe0ede8ede02e',
  },
  pl: {
    text: 'Przyjęcie zażółć gęślą jaźń, dziękuję bardzo za wszystko.',
    cp1250:
      '50727a796aea636965207a61bff3b3e62067ea9c6cb9206a619ff12c20647a69ea6b756aea20626172647a6f207a612077737a7973746b6f2e',
    'iso8859-2':
      '50727a796aea636965207a61bff3b3e62067eab66cb1206a61bcf12c20647a69ea6b756aea20626172647a6f207a612077737a7973746b6f2e',
  },
  cs: {
    text: 'Příliš žluťoučký kůň úpěl ďábelské ódy, děkuji.',
    cp1250: '50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f364792c2064ec6b756a692e',
    'iso8859-2': '50f8ed6c69b920be6c75bb6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f364792c2064ec6b756a692e',
  },
  hu: {
    text: 'Árvíztűrő tükörfúrógép, köszönöm szépen, viszlát.',
    cp1250: 'c17276ed7a74fb72f52074fc6bf67266fa72f367e9702c206bf6737af66ef66d20737ae970656e2c207669737a6ce1742e',
    'iso8859-2': 'c17276ed7a74fb72f52074fc6bf67266fa72f367e9702c206bf6737af66ef66d20737ae970656e2c207669737a6ce1742e',
  },
  ro: {
    text: 'Bună ziua, ce mai faceţi? Mulţumesc, îmi place aşa.',
    cp1250: '42756ee3207a6975612c206365206d61692066616365fe693f204d756cfe756d6573632c20ee6d6920706c6163652061ba612e',
  },
  fr: {
    text: 'Ça va être très bon, où êtes-vous allés cet été ?',
    cp1252: 'c76120766120ea747265207472e87320626f6e2c206ff920ea7465732d766f757320616c6ce9732063657420e974e9203f',
  },
  de: {
    text: 'Schöne Grüße aus Köln, das heißt übermorgen.',
    cp1252: '536368f66e65204772fcdf6520617573204bf66c6e2c2064617320686569df7420fc6265726d6f7267656e2e',
  },
  es: {
    text: 'Mañana será otro día, ¿qué te pareció el año?',
    cp1252: '4d61f1616e6120736572e1206f74726f2064ed612c20bf7175e920746520706172656369f320656c2061f16f3f',
  },
  tr: {
    text: 'Güneşli bir gün, çocuklar okula gidiyor, ağaçlar ışıl ışıl.',
    cp1254:
      '47fc6e65fe6c69206269722067fc6e2c20e76f63756b6c6172206f6b756c612067696469796f722c2061f061e76c617220fdfefd6c20fdfefd6c2e',
  },
  lt: {
    text: 'Ačiū, labai gražu, šiandien žiūrėjau į dangų, ąžuolas.',
    cp1257:
      '41e869fb2c206c6162616920677261fe752c20f069616e6469656e20fe69fb72eb6a617520e12064616e67f82c20e0fe756f6c61732e',
  },
  lv: {
    text: 'Paldies, ļoti skaisti, šodien es skatījos debesīs, žēl ķēniņa.',
    cp1257:
      '50616c646965732c20ef6f746920736b61697374692c20f06f6469656e20657320736b6174ee6a6f73206465626573ee732c20fee76c20ede76e69f2612e',
  },
  el: {
    text: 'Καλημέρα κόσμε, τι κάνεις σήμερα; Πάμε στη θάλασσα.',
    cp1253: 'cae1ebe7ecddf1e120eafcf3ece52c20f4e920eadcede5e9f220f3deece5f1e13b20d0dcece520f3f4e720e8dcebe1f3f3e12e',
  },
  he: {
    text: 'שלום עולם, מה שלומך היום? אנחנו הולכים לים.',
    cp1255: 'f9ece5ed20f2e5eced2c20eee420f9ece5eeea20e4e9e5ed3f20e0f0e7f0e520e4e5ecebe9ed20ece9ed2e',
  },
  ar: {
    text: 'مرحبا بالعالم، كيف حالك اليوم؟ نحن ذاهبون إلى البحر.',
    cp1256: 'e3d1cdc8c720c8c7e1dac7e1e3a120dfeddd20cdc7e1df20c7e1ede6e3bf20e4cde420d0c7e5c8e6e420c5e1ec20c7e1c8cdd12e',
  },
  th: {
    text: 'สวัสดีชาวโลก วันนี้เป็นอย่างไรบ้าง เราไปทะเลกัน',
    cp874: 'cac7d1cab4d5aad2c7e2c5a120c7d1b9b9d5e9e0bbe7b9cdc2e8d2a7e4c3bae9d2a720e0c3d2e4bbb7d0e0c5a1d1b9',
  },
  ja: {
    text: 'こんにちは世界、今日は元気ですか。海に行きましょう。',
    shift_jis:
      '82b182f182c982bf82cd90a28a4581418da193fa82cd8cb38b4382c582b782a981428a4382c98d7382ab82dc82b582e582a48142',
    'euc-jp':
      'a4b3a4f3a4cba4c1a4cfc0a4b3a6a1a2baa3c6fca4cfb8b5b5a4a4c7a4b9a4aba1a3b3a4a4cbb9d4a4ada4dea4b7a4e7a4a6a1a3',
  },
  ko: {
    text: '안녕하세요 세계, 오늘은 어떻습니까? 우리는 바다에 가고 있습니다. 나는 학교에 다닌다.',
    cp949:
      'bec8b3e7c7cfbcbcbfe420bcbcb0e82c20bfc0b4c3c0ba20beeeb6bbbdc0b4cfb1ee3f20bfecb8aeb4c220b9d9b4d9bfa120b0a1b0ed20c0d6bdc0b4cfb4d92e20b3aab4c220c7d0b1b3bfa120b4d9b4d1b4d92e',
  },
  zh: {
    text: '你好世界，今天你好吗？我们去海边，这是我的一个朋友。',
    gbk: 'c4e3bac3cac0bde7a3acbdf1ccecc4e3bac3c2f0a3bfced2c3c7c8a5baa3b1dfa3acd5e2cac7ced2b5c4d2bbb8f6c5f3d3d1a1a3',
  },
  'zh-Hant': {
    text: '你好世界，今天你好嗎？我們去海邊，這是我的一個朋友。',
    big5: 'a741a66ea540acc9a141a4b5a4d1a741a66eb6dca148a7daadcca568aefcc3e4a141b36fac4fa7daaabaa440add3aa42a4cda143',
  },
}
const rows = Object.entries(samples).flatMap(([language, { text, ...bytes }]) =>
  Object.entries(bytes).map(([encoding, hex]) => [language, encoding, text, hex] as const),
)
const times = '1\n00:00:01,000 --> 00:00:02,000\n'
const inBytes = (hex: string) => new Uint8Array(Buffer.concat([Buffer.from(times), Buffer.from(hex, 'hex')]))

it.each(rows)('subtitles in the language %s, named or not, are read in %s', (language, _, text, hex) => {
  expect([anyTextOf(inBytes(hex), language), anyTextOf(inBytes(hex))]).toEqual([times + text, times + text])
})

it.each(['rus', 'ru-RU', 'ru_RU', 'ru-x-auto', 'ru-nP7-2PuUl7o'])('%s is Russian', language => {
  expect(anyTextOf(Buffer.from('c4e020', 'hex'), language)).toBe('Да ')
})

it.each(['utf-16le', 'utf-16be'])('%s is read with a mark and without', order => {
  const little = Buffer.from(`${times}Привет\n`, 'utf16le')
  const bytes = order === 'utf-16le' ? little : Buffer.from(little).swap16()
  const mark = order === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff]
  expect(anyTextOf(bytes)).toBe(`${times}Привет\n`)
  expect(anyTextOf(Buffer.from([...mark, ...bytes]))).toBe(`${times}Привет\n`)
})

it('a letter that was cut in half is left out of UTF-8', () => {
  const bytes = Buffer.from('Привет мир, Ж')
  expect(anyTextOf(bytes.subarray(0, -1))).toBe('Привет мир, ')
})
