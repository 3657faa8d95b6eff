/** The frame of all pages of settings. */
import type { Child } from 'hono/jsx'
import type { PageContext } from './context.ts'
import { Layout } from './layout.tsx'

type FrameProps = { page: PageContext; title: string; children?: Child }

export const SettingsFrame = ({ page, title, children }: FrameProps) => (
  <Layout page={page} title={title}>
    <header class="heading">
      <h1>Settings</h1>
    </header>
    <div class="settings-page">
      <nav class="side-nav" aria-label="Settings">
        {pages.map(({ href, label, here }) => (
          <a href={href} aria-current={here.test(page.path) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="sections">{children}</div>
    </div>
  </Layout>
)

const pages = [
  { href: '/settings', label: 'Downloads', here: /^\/settings$/ },
  { href: '/settings/auto-download', label: 'Auto-download', here: /^\/settings\/auto-download(\/all)?$/ },
  { href: '/settings/account', label: 'Account', here: /^\/settings\/(account|password|delete)$/ },
  { href: '/settings/tokens', label: 'API tokens', here: /^\/settings\/tokens$/ },
]
