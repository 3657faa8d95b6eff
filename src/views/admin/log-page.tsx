/** What administrators did, in sentences, the latest first. */
import type { Act, ActName } from '../../schema/admin/admin.ts'
import { log_path } from '../../schema/http/paths.ts'
import { AdministrationFrame } from '../frames/administration.tsx'
import type { PageContext } from '../frames/context.ts'
import { Older } from '../ui/lists.tsx'
import { Ago } from '../ui/times.tsx'

type Props = { page: PageContext; acts: Act[]; next_cursor: string | null }

export const LogPage = ({ page, acts, next_cursor }: Props) => (
  <AdministrationFrame page={page} title="Log">
    {acts.length === 0 ? (
      <p class="empty">What administrators do here and on the command line will appear on this page.</p>
    ) : (
      <ul class="rows" id="acts">
        {acts.map(act => (
          <li class="row">
            <p class="about">{actWords(act)}</p>
            <p class="quiet">
              <Ago at={act.at} now={page.now} />
            </p>
          </li>
        ))}
      </ul>
    )}
    <Older path={log_path} parameters={{}} cursor={next_cursor} list="acts" label="Older" />
  </AdministrationFrame>
)

/** "alice locked bob." */
function actWords({ by, act, username, detail }: Act): string {
  const who = by === 'command line' ? 'The command line' : by
  const whom = username ?? 'an account'
  const invitation = detail === '' ? 'an invitation' : `the invitation “${detail}”`
  const sentences: Record<ActName, string> = {
    role_changed: `${who} made ${whom} ${detail === 'admin' ? 'an administrator' : 'a member'}.`,
    locked: `${who} locked ${whom}.`,
    unlocked: `${who} unlocked ${whom}.`,
    quota_changed: `${who} set the quota of ${whom} to ${quota_words[detail] ?? detail}.`,
    account_deleted: `${who} deleted the account ${whom}.`,
    reset_link_made: `${who} created a link with which ${whom} can choose a new password.`,
    tokens_revoked: `${who} revoked the API tokens of ${whom}.`,
    invitation_made: `${who} created ${invitation}.`,
    invitation_deleted: `${who} revoked ${invitation}.`,
    invitation_used: `${whom} created an account with ${invitation}.`,
    pause_ended: `${who} ended the pause of ${detail}.`,
    downloads_retried: `${who} retried the failed downloads${detail === '' ? '' : ` from ${detail}`}.`,
    tools_renewed: `${who} checked for a new yt-dlp.`,
  }
  return sentences[act]
}

const quota_words: Record<string, string> = { default: "the service's", '0 GB': 'no limit' }
