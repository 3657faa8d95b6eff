/** `&eacute;` and `&#233;` → é. Pure. */
// Knows all 2,125 names of HTML; XML parsers know five.
import { decodeHTMLStrict } from 'entities'

/**
 * Decodes once, so `&amp;lt;` becomes `&lt;`. Unknown names stay unchanged, and so do known ones without a semicolon, because
 * those are more often parts of addresses (`?a=1&copy=2`). Takes time in proportion to the text.
 */
export const withoutEntities = (text: string): string => (text.includes('&') ? decodeHTMLStrict(text) : text)
