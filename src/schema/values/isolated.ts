/** Keeps a name that is read from right to left from reordering the words of a sentence around it. In an element, use `<bdi>` instead. */

/** A name that cannot reorder anything stays as it is, easy to copy and compare. Isolates within the name would end this one too early. */
export const isolated = (name: string): string =>
  can_reorder.test(name) ? `\u2068${name.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : name

/** Letters that are read from right to left, and characters that set the direction. */
const can_reorder =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
