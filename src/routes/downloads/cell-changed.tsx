/** Answers a button below a video: with its changed cell and actions, or by going back to the page. */
import type { Context } from 'hono'
import { getVideo } from '../../domain/get.ts'
import { fileOutlook } from '../../domain/videos/history.ts'
import type { Download } from '../../schema/downloads/download.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { FileActionsPartial } from '../../views/downloads/file-actions.tsx'
import { DownloadChanged } from '../../views/downloads/polling.tsx'
import { ActiveCountPartial } from '../../views/ui/navigation.tsx'
import { changed } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'

export const cellChanged = (c: Context<Env>, download: Download, flash?: Flash) =>
  changed(c, {
    parts: async () => {
      const { library, bin_hours } = c.var
      const [video, active] = await Promise.all([getVideo(library, download.video_id), library.videos.active()])
      const file = await fileOutlook(library, video, bin_hours)
      return (
        <>
          <DownloadChanged download={download} now={new Date()} />
          <ActiveCountPartial count={active} />
          <FileActionsPartial video={video} bin_hours={bin_hours} file={file} now={new Date()} />
        </>
      )
    },
    flash,
    otherwise: '/downloads',
  })
