/** Removes the characters that Postgres refuses or a terminal obeys: NUL, other controls and lone surrogates. */
export const clean = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '')
