/** What administrators did, in sentences, the latest first. */
import type { Act } from '../../schema/admin/admin.ts'
import { AdministrationFrame } from '../ui/administration.tsx'
import type { PageContext } from '../ui/context.ts'
import { Older } from '../ui/lists.tsx'
import { log_path } from '../ui/paths.ts'
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
  switch (act) {
    case 'role_changed':
      return `${who} made ${whom} ${detail === 'admin' ? 'an administrator' : 'a member'}.`
    case 'locked':
      return `${who} locked ${whom}.`
    case 'unlocked':
      return `${who} unlocked ${whom}.`
    case 'quota_changed':
      return `${who} set the quota of ${whom} to ${quota_words[detail] ?? detail}.`
    case 'account_deleted':
      return `${who} deleted the account ${whom}.`
    case 'reset_link_made':
      return `${who} created a link with which ${whom} can choose a new password.`
    case 'tokens_revoked':
      return `${who} revoked the API tokens of ${whom}.`
    case 'invitation_made':
      return `${who} created ${invitation}.`
    case 'invitation_deleted':
      return `${who} revoked ${invitation}.`
    case 'invitation_used':
      return `${whom} created an account with ${invitation}.`
    case 'pause_ended':
      return `${who} ended the pause of ${detail}.`
    case 'downloads_retried':
      return `${who} retried the failed downloads${detail === '' ? '' : ` from ${detail}`}.`
    case 'tools_renewed':
      return `${who} checked for a new yt-dlp.`
  }
}

const quota_words: Record<string, string> = { default: "the service's", '0 GB': 'no limit' }
