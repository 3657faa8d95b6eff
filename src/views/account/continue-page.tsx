/** Leads to the OpenID provider. The browser goes on at once; the link is for one that does not. */
import type { PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'

type Props = { page: PageContext; label: string; url: string; to: 'link' | 'sign out' }

export const ContinuePage = ({ page, label, url, to }: Props) => (
  <Layout page={page} title={`Continue to ${label}`}>
    <div class="narrow">
      <section class="card">
        <h1>Continue to {label}</h1>
        <p>
          {to === 'link'
            ? 'Sign in there to link it to your account here.'
            : 'You are signed out here. Sign out there, too.'}
        </p>
        <p>
          <a class="button main" href={url}>
            Continue
          </a>
        </p>
      </section>
    </div>
  </Layout>
)
