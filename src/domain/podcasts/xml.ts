/** Writes XML documents. The words in them may be those of strangers. */
import { withoutBidiControls } from '../../schema/values/direction.ts'

type Node = { [name: string]: string | number | undefined | Node | Node[] }

/** The builder escapes texts and attributes, and writes no element for `undefined`. */
export async function documentOf(root: string, content: Node): Promise<string> {
  const { XMLBuilder } = await import('fast-xml-parser')
  const builder = new XMLBuilder({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    textNodeName: '#',
    format: true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
    tagValueProcessor: (_, text) => plain(text),
    attributeValueProcessor: (_, text) => plain(text),
  })
  return builder.build({ '?xml': { '@version': '1.0', '@encoding': 'UTF-8' }, [root]: content })
}

/** Without the characters that XML 1.0 forbids, the other control characters, halves of surrogate pairs, and turns of direction. */
export const plain = (text: unknown): string =>
  withoutBidiControls(String(text))
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
