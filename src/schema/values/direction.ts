/** Texts of strangers that go into documents of other programs. */

/**
 * Without the characters that turn the direction of the text after them (Unicode's Bidi_Control): one without its end would turn what
 * another program shows around the text. The three marks stay, because they turn nothing.
 */
export const withoutBidiControls = (text: string): string =>
  text.replace(/(?![\u061c\u200e\u200f])\p{Bidi_Control}/gu, '')
