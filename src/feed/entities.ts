/** `&eacute;` and `&#233;` → é. The names feeds really use: the Latin-1 ones, punctuation, Greek, a few signs. Pure. */

/** Once, so that `&amp;lt;` becomes `&lt;`. Unknown names stay as they are. */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,10}));/g, resolve)
    : text

function resolve(all: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return named.get(name) ?? all
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  // 128–159 mean Windows-1252 to every browser.
  if (code >= 128 && code < 160) return windows.decode(new Uint8Array([code]))
  return code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : ''
}

const windows = new TextDecoder('windows-1252')

/** In order from U+00A0. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml ' +
  'Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
/** In order from U+0391 and U+03B1; U+03A2 is no letter. */
const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi ' +
  'psi omega'
const others: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  circ: 'ˆ',
  tilde: '˜',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  lsaquo: '‹',
  rsaquo: '›',
  dagger: '†',
  Dagger: '‡',
  bull: '•',
  hellip: '…',
  permil: '‰',
  prime: '′',
  Prime: '″',
  euro: '€',
  trade: '™',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  harr: '↔',
  minus: '−',
  infin: '∞',
  ne: '≠',
  le: '≤',
  ge: '≥',
  hearts: '♥',
  spades: '♠',
  clubs: '♣',
  diams: '♦',
  check: '✓',
  star: '☆',
  starf: '★',
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const named = new Map<string, string>([
  ...Object.entries(others),
  ...latin.split(' ').map((name, index) => [name, String.fromCodePoint(0xa0 + index)] as const),
  ...greek
    .split(' ')
    .flatMap((name, index): [string, string][] => [
      [name, String.fromCodePoint(0x3b1 + index)],
      ...(name === 'sigmaf' ? [] : [[capital(name), String.fromCodePoint(0x391 + index)] as [string, string]]),
    ]),
])
