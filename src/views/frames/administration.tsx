/** The frame of the pages of the administration, with the tabs that all of them share, and their lists of facts. */
import type { Child } from 'hono/jsx'
import { admin_path, invitations_path, log_path, status_path } from '../../schema/http/paths.ts'
import type { PageContext } from './context.ts'
import { Layout } from './layout.tsx'

type FrameProps = {
  page: PageContext
  title: string
  /** A line below the name of the page. */
  line?: Child
  children?: Child
}

export const AdministrationFrame = ({ page, title, line, children }: FrameProps) => (
  <Layout page={page} title={`${title} · Administration`}>
    <div class="administration">
      <header class="heading">
        <h1>Administration</h1>
        <nav class="tabs" aria-label="Administration">
          {tabs.map(({ href, label, here }) => (
            <a href={href} aria-current={here.test(page.path) ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      {/* The tab shows its name already. */}
      <div class={isTab(title) && !line ? undefined : 'heading'}>
        <h2 class={isTab(title) ? 'spoken' : undefined}>{title}</h2>
        {line && <p class="quiet">{line}</p>}
      </div>
      {children}
    </div>
  </Layout>
)

const tabs = [
  { href: admin_path, label: 'People', here: /^\/admin(\/people\/.*)?$/ },
  { href: invitations_path, label: 'Invitations', here: /^\/admin\/invitations/ },
  { href: log_path, label: 'Log', here: /^\/admin\/log/ },
  { href: status_path, label: 'Status', here: /^\/health/ },
]

const isTab = (title: string) => tabs.some(({ label }) => label === title)

/** Without a value, nothing is shown. */
export type Fact = [name: string, value: Child] | false | '' | null

export const Facts = ({ facts }: { facts: Fact[] }) => (
  <dl class="facts-list">
    {facts.map(
      fact =>
        fact && (
          <>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </>
        ),
    )}
  </dl>
)
