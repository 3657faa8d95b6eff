/** A document as the web gave it, before anything in it is read. */
export type FetchedDocument = {
  /** Where the redirects ended. */
  url: string
  /** Empty when the site gives none. */
  content_type: string
  body: Uint8Array
  /** The HTTP header `Link`. */
  link?: string | undefined
}
