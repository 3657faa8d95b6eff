/** Bounds the memory of the documents that this process fetches and reads at once. The size of one document is up to `fetch.ts`. */

/** The memory of one document, from its first byte until it has been read. */
export type Share = {
  /** Resolves when the document may keep this many more bytes. Rejects when the work on the document has ended. */
  grow(bytes: number): Promise<void>
}

/** `whose`: any name for the person; not given: as one more person. */
export type WithShare = <T>(whose: string | undefined, work: (share: Share) => Promise<T>) => Promise<T>

/** `more`: how much of `bytes` is beyond the free bytes. */
type Growth = { bytes: number; more: number; resolve(): void; reject(fault: Error): void }
type Document = { whose: string; bytes: number; waiting?: Growth | undefined; has_ended: boolean }

type Limits = { free_bytes: number; max_bytes_beyond: number }

/** Each document keeps this many bytes without waiting, so that big documents never delay the usual ones. */
const free_bytes = 512 * 1024
/** The limit of the bytes beyond `free_bytes`, over all documents. 48 documents at once would need 240 MB. */
const max_bytes_beyond = 32 * 1024 * 1024

export const withMemory: WithShare = memoryFor({ free_bytes, max_bytes_beyond })

/**
 * Documents grow in any order while they fit. When they do not fit, all wait but the one of each person that began to grow first: it
 * exceeds the limit by its own size at most. So one document of each person can always continue, all end, and the documents of one
 * person do not delay another person's first.
 */
export function memoryFor({ free_bytes, max_bytes_beyond }: Limits): WithShare {
  // The documents in the order in which they began to grow beyond their free bytes.
  const growing = new Set<Document>()
  let used = 0

  const beyond = ({ bytes }: Document) => Math.max(0, bytes - free_bytes)
  const isFirstOfPerson = (document: Document) =>
    growing.values().find(({ whose }) => whose === document.whose) === document
  const mayGrow = (document: Document, more: number) => used + more <= max_bytes_beyond || isFirstOfPerson(document)
  const keep = (document: Document, bytes: number) => {
    used -= beyond(document)
    document.bytes += bytes
    used += beyond(document)
  }

  const grow = (document: Document, bytes: number): Promise<void> => {
    if (document.has_ended) return Promise.reject(ended())
    const more = beyond({ ...document, bytes: document.bytes + bytes }) - beyond(document)
    if (more > 0) growing.add(document)
    if (more === 0 || mayGrow(document, more)) return Promise.resolve(keep(document, bytes))
    return new Promise((resolve, reject) => {
      document.waiting = { bytes, more, resolve, reject }
    })
  }

  const end = (document: Document) => {
    document.has_ended = true
    document.waiting?.reject(ended())
    used -= beyond(document)
    growing.delete(document)
    for (const other of growing) {
      const { waiting } = other
      if (!waiting || !mayGrow(other, waiting.more)) continue
      other.waiting = undefined
      keep(other, waiting.bytes)
      waiting.resolve()
    }
  }

  return async (whose, work) => {
    const document: Document = { whose: whose ?? '', bytes: 0, has_ended: false }
    try {
      return await work({ grow: bytes => grow(document, bytes) })
    } finally {
      end(document)
    }
  }
}

const ended = () => new Error('the document is no longer needed')
