/** The question before the files of several downloads are deleted. */
import type { PageContext } from '../parts/context.ts'
import { Button } from '../parts/forms.tsx'
import { Layout } from '../parts/layout.tsx'
import { bytesWords, countWords } from '../parts/words.ts'

type RemoveProps = { page: PageContext; video_ids: string[]; bytes: number }

export const RemovePage = ({ page, video_ids, bytes }: RemoveProps) => {
  const files = countWords(video_ids.length, 'file')
  return (
    <Layout page={page} title="Delete files">
      <form class="card narrow" method="post" action="/downloads/remove">
        <h1>
          Delete {files} ({bytesWords(bytes)})?
        </h1>
        <p>{keepsWords(video_ids.length)}</p>
        <input type="hidden" name="confirmed" value="on" />
        {video_ids.map(video_id => (
          <input type="hidden" name="video_id" value={video_id} />
        ))}
        <div class="actions">
          <Button kind="danger" busy="Deleting…">
            Delete {files}
          </Button>
          <a class="button plain" href="/downloads?show=done">
            Cancel
          </a>
        </div>
      </form>
    </Layout>
  )
}

const keepsWords = (files: number) =>
  files === 1
    ? 'The video stays in your list. You can download it again while the site still has it.'
    : 'The videos stay in your list. You can download them again while the site still has them.'
