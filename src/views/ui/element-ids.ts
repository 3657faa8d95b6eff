/** The element ids that belong to one video, channel or site, the same on every page. They need no escaping in a selector. */

export const cellId = (video_id: string): string => `download-${selectable(video_id)}`

/** The id of the video's row on the downloads page. The row keeps its focus and open menu when it changes its shelf. */
export const rowId = (video_id: string): string => `row-${selectable(video_id)}`

/** The id of the element that names the video. */
export const titleId = (video_id: string): string => `title-${selectable(video_id)}`

/** The ids of the element that names the channel, and of the switch of its auto-download. */
export const nameId = (channel_id: string): string => `name-${selectable(channel_id)}`
export const switchId = (channel_id: string): string => `switch-${selectable(channel_id)}`

/** The id of the sentence that says why the downloads of a site wait. */
export const noticeId = (host: string): string => `notice-${selectable(host)}`

/** Other characters become their code point between two `·`, so different video ids never share an element id. */
const selectable = (id: string) => id.replace(/[^A-Za-z0-9_-]/gu, sign => `·${sign.codePointAt(0)?.toString(16)}·`)

/** The channels in the column beside a page. */
export const column_channels_id = 'column-channels'
