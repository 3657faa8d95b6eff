/** The page that ends the mails to a mailbox, for the reader of a mail. It names no person and no mailbox. */
import type { PageContext } from '../ui/context.ts'
import { Layout } from '../ui/layout.tsx'

export const EndMailsPage = ({ page, has_ended }: { page: PageContext; has_ended: boolean }) => (
  <Layout page={page} title="End mails">
    <h1>End mails</h1>
    {has_ended ? (
      <p role="status">Backlot sends no more mails to this address.</p>
    ) : (
      <form method="post" class="stack">
        <p>Backlot sends mails to the address at which you got this link. You can end them here.</p>
        <button type="submit">End mails</button>
      </form>
    )}
  </Layout>
)
