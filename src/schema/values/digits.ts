/** Numbers in the digits of any script. Pure. */

/**
 * The text with 0 to 9 for the digits of every script, and other characters in their usual form (NFKC). Unicode keeps the ten digits of a
 * script together, and scripts that touch have ten digits each.
 */
export const asciiDigits = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) ?? 0
    let first = code
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
    return String((code - first) % 10)
  })
