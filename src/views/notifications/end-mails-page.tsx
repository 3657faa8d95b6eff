/** The page that ends the mails to a mailbox, for the reader of a mail. It names no person and no mailbox. */
import type { Versions } from '../frames/context.ts'
import { LinkFrame } from '../frames/link-frame.tsx'
import { Post } from '../ui/forms.tsx'

/** `token`: of the link; `undefined`: the mails have ended. */
export const EndMailsPage = ({ versions, token }: { versions: Versions; token: string | undefined }) => (
  <LinkFrame versions={versions} title="End mails">
    <div class="narrow">
      <div class="card">
        <h1>End mails</h1>
        {token === undefined ? (
          <p role="status">Backlot sends no more mails to this address.</p>
        ) : (
          <>
            <p>Backlot sends mails to the address at which you got this link. You can end them here.</p>
            <Post action={`/mails/${encodeURIComponent(token)}`} kind="main">
              End mails
            </Post>
          </>
        )}
      </div>
    </div>
  </LinkFrame>
)
