/** One line where a file on disk may not play, with a button that replaces it. Nothing for a file that plays everywhere. */
import { canBeReplaced, type Download } from '../../schema/downloads/download.ts'
import { requestPath } from '../../schema/http/paths.ts'
import { codecsLacked, unplayableOn } from '../../schema/sources/plays-on.ts'
import { Act } from './download-buttons.tsx'

type Props = { download: Pick<Download, 'video_id' | 'download_status' | 'file' | 'availability'> }

/**
 * Whether this browser lacks a codec, only the browser knows: `page/lacked-codecs.js` tells the style sheet, which then shows `here`, and
 * the whole part where it is hidden because phones and televisions play the file.
 */
export const Unplayable = ({ download }: Props) => {
  const { file } = download
  const [elsewhere, lacked, replaceable] = [unplayableOn(file), codecsLacked(file), canBeReplaced(download)]
  if (!elsewhere && lacked.length === 0) return null
  return (
    <div class={elsewhere ? 'unplayable' : 'unplayable if-lacked'} data-codecs={lacked.join(' ')}>
      <p class="quiet">
        <span class="here">This browser can't play it. </span>
        {elsewhere && `May not play on ${elsewhere}.`}
        {!replaceable && ' VLC plays it.'}
      </p>
      {replaceable && <GetCompatible video_id={download.video_id} />}
    </div>
  )
}

/** `in_menu`: an item of a menu. */
export const GetCompatible = ({ video_id, in_menu = false }: { video_id: string; in_menu?: boolean }) => (
  <Act
    video_id={video_id}
    path={`${requestPath(video_id)}/compatible`}
    class={in_menu ? 'act' : 'replace'}
    kind={in_menu ? 'quiet' : 'plain'}
  >
    Get a compatible file
  </Act>
)
