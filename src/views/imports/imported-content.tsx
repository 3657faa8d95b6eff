/** Shows what an import brought besides channels of a list, and what was left out, with the reasons. */
import type { Import, ImportContent } from '../../schema/imports/import.ts'
import { countWords, numberWords } from '../ui/words.ts'

export const ImportedContent = ({ imported, content }: { imported: Import; content: ImportContent }) => (
  <>
    <ul>
      {brought(content).map(sentence => (
        <li>{sentence}</li>
      ))}
    </ul>
    {leftOut(content).length > 0 && (
      <>
        <p>Left out:</p>
        <ul class="quiet">
          {leftOut(content).map(sentence => (
            <li>{sentence}</li>
          ))}
        </ul>
      </>
    )}
    {content.undated > 0 && (
      <p class="quiet">
        {countWords(content.undated, 'entry has', 'entries have')} no date that could be read. Their marks have the time
        of the import.
      </p>
    )}
    {imported.kind === 'archive' && (
      <p class="quiet">
        Rules apply to videos that are published from now on. The feeds are checked by their usual schedule, one after
        another.
      </p>
    )}
  </>
)

/** A few words for the list of imports. */
export const contentSummary = (content: ImportContent): string | undefined =>
  [
    content.marked > 0 && `${numberWords(content.marked)} watched`,
    content.channels_added > 0 && countWords(content.channels_added, 'channel'),
    content.videos_added > 0 && countWords(content.videos_added, 'video'),
    content.failed > 0 && `${numberWords(content.failed)} not saved`,
  ]
    .filter(Boolean)
    .join(', ') || 'nothing new'

function brought(content: ImportContent): string[] {
  const { marked, marked_here, positions, channels_added, videos_added, pinned, queued } = content
  const later = marked > marked_here ? ' The others are marked when they appear.' : ''
  return [
    marked > 0 &&
      `${countWords(marked, 'video')} marked as watched, ${numberWords(marked_here)} of them in your library.${later}`,
    positions > 0 && `${countWords(positions, 'playback position')} taken over.`,
    channels_added > 0 && `${countWords(channels_added, 'channel')} followed.`,
    videos_added > 0 && `${countWords(videos_added, 'video')} added.`,
    pinned > 0 && `${countWords(pinned, 'video')} kept forever.`,
    queued > 0 && `${countWords(queued, 'download')} queued.`,
  ].filter(sentence => sentence !== false)
}

function leftOut(content: ImportContent): string[] {
  const { ads, music, removed, unknown, older, no_room, channels_left_out, videos_left_out, failed } = content
  return [
    failed > 0 && `${countWords(failed, 'entry', 'entries')} that could not be saved, by a fault of this server`,
    ads > 0 && `${countWords(ads, 'advertisement')}`,
    music > 0 && `${countWords(music, 'entry', 'entries')} of YouTube Music`,
    removed > 0 && `${countWords(removed, 'video')} that YouTube has removed, without a link`,
    unknown > 0 &&
      `${countWords(unknown, 'entry', 'entries')} that could not be read, or ${unknown === 1 ? 'is not a video' : 'are not videos'}`,
    older > 0 && `${countWords(older, 'older video')}: an import takes the newest 100,000`,
    no_room > 0 && `${countWords(no_room, 'mark')}: you have as many as one person may have here`,
    channels_left_out > 0 &&
      `${countWords(channels_left_out, 'channel')}: you follow as many as one person may follow here`,
    videos_left_out > 0 &&
      `${countWords(videos_left_out, 'video')}: you have as many as one person may have here, or the channel was left out`,
  ].filter(sentence => sentence !== false)
}
