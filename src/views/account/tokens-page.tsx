/** The list of a person's API tokens, with the forms that create and revoke them. */
import { type ApiToken, api_token_lifetimes_days, Scope } from '../../schema/account/account.ts'
import { countWords, dateWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingCard, SettingsFrame } from '../frames/settings-frame.tsx'
import { type FormState, MainButton, NameField, Select } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { AskButton } from '../ui/menus.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Ago, LastUse } from '../ui/times.tsx'

export type TokenValues = { name: string; scope: string; expires_in_days: string }

type Props = FormState<TokenValues> & {
  page: PageContext
  tokens: ApiToken[]
  /** The token that this request created. It is shown only now. */
  created?: { token_id: string; token: string }
}

export const TokensPage = ({ page, tokens, created, ...form }: Props) => (
  <SettingsFrame page={page} subject="tokens">
    {created && (
      <ShownOnce title="Your new token" label="Token" text={created.token}>
        Copy it now. It won't be shown again.
      </ShownOnce>
    )}
    <SettingCard
      name="tokens"
      hint={
        <>
          With a token, an app can use <a href="/api/docs">the API</a> and download your files. It sends the token in a
          header: <code>Authorization: Bearer &lt;token&gt;</code>. Tokens can't sign in to the website or create other
          tokens.
        </>
      }
    >
      <Rows
        of={tokens}
        row={token => <TokenRow page={page} token={token} is_new={token.token_id === created?.token_id} />}
      />
    </SettingCard>
    <section class="setting-card">
      <NewTokenForm page={page} form={form} />
    </section>
  </SettingsFrame>
)

const TokenRow = ({ page, token, is_new }: { page: PageContext; token: ApiToken; is_new: boolean }) => (
  <li class="row">
    <About title={token.name} badge={is_new && 'New'}>
      {scopes[token.scope]} · created <Ago at={token.created_at} now={page.now} /> ·{' '}
      <LastUse at={token.last_used_at} now={page.now} /> · <Expiry token={token} page={page} />
    </About>
    <AskButton does="Revoke" what={token.name} action={`/settings/tokens/${token.token_id}/revoke`}>
      Revoke “{token.name}”? Apps using this token will stop working.
    </AskButton>
  </li>
)

const Expiry = ({ token: { expires_at }, page }: { token: ApiToken; page: PageContext }) => {
  if (expires_at === null) return <>never expires</>
  const is_over = expires_at <= page.now
  return (
    <span class={is_over ? 'fault' : undefined}>
      {is_over ? 'expired' : 'expires'} on <time datetime={expires_at.toISOString()}>{dateWords(expires_at)}</time>
    </span>
  )
}

const NewTokenForm = ({ page, form }: Pick<Props, 'page'> & { form: FormState<TokenValues> }) => (
  <form class="settings" method="post" action="/settings/tokens">
    <h3>Create a token</h3>
    <NameField form={form} hint="What the token is for, such as “phone” or “backup script”." />
    <Select
      form={form}
      label="Permission"
      name="scope"
      options={Scope.options
        .filter(scope => scope !== 'admin' || page.user?.role === 'admin')
        .map(scope => [scope, scopes[scope]])}
    />
    <Select
      label="Expires"
      name="expires_in_days"
      options={[
        ...api_token_lifetimes_days.map(days => [`${days}`, `In ${countWords(days, 'day')}`] as const),
        ['', 'Never'],
      ]}
      chosen={form.values.expires_in_days}
    />
    <MainButton busy="Creating…">Create token</MainButton>
  </form>
)

const scopes = {
  read: 'Read only',
  write: 'Read and write',
  admin: 'Everything, with the administration',
} satisfies Record<Scope, string>
