/** The element ids that belong to one video, the same on every page. They need no escaping in a selector. */

/** An id that needs no escaping in a selector: `·` cannot stand in a video id's safe part. */
export const cellId = (video_id: string): string => `download-${selectable(video_id)}`
/** Of the row that a shelf has of it, so that it keeps its box, its focus and its open menu wherever it goes. */
export const rowId = (video_id: string): string => `row-${selectable(video_id)}`
/** Of the element that names the video. */
export const titleId = (video_id: string): string => `title-${selectable(video_id)}`
const selectable = (id: string) => id.replace(/[^A-Za-z0-9_-]/gu, sign => `·${sign.codePointAt(0)?.toString(16)}·`)
