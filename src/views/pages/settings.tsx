/** What somebody sets for themselves: the frame of those pages, and the first of them. */
import type { Child } from 'hono/jsx'
import type { Settings } from '../../schema/quality.ts'
import type { PageContext } from '../parts/context.ts'
import { Layout } from '../parts/layout.tsx'
import { UsualQuality } from '../parts/quality.tsx'
import { bytesWords } from '../parts/words.ts'
import { ExportLinks } from './imports.tsx'

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
  { href: '/settings/account', label: 'Account', here: /^\/settings\/(account|password|delete)$/ },
  { href: '/settings/tokens', label: 'API tokens', here: /^\/settings\/tokens$/ },
]

/** `quota_bytes` null: as much as fits. */
type Room = { quota_bytes: number | null; on_disk_bytes: number }
type SettingsProps = { page: PageContext; settings: Settings; room: Room }

export const SettingsPage = ({ page, settings, room }: SettingsProps) => (
  <SettingsFrame page={page} title="Settings">
    <section>
      <UsualQuality settings={settings} />
      <RoomWords room={room} />
    </section>
    <section>
      <h2>Import and export</h2>
      <p>Bring a list of channels from another reader, or take yours along.</p>
      <p class="actions">
        <a class="button plain" href="/import">
          Import a list
        </a>{' '}
        <ExportLinks />
      </p>
    </section>
  </SettingsFrame>
)

const RoomWords = ({ room: { quota_bytes, on_disk_bytes } }: { room: Room }) => (
  <div class="disk-use">
    <h3>On disk</h3>
    <p>
      {quota_bytes === null
        ? `${bytesWords(on_disk_bytes)}. There is no limit but the disk.`
        : `${bytesWords(on_disk_bytes)} of ${bytesWords(quota_bytes)}`}
    </p>
    {quota_bytes !== null && (
      <progress
        max={quota_bytes}
        value={Math.min(on_disk_bytes, quota_bytes)}
        aria-label="What you keep of what you may"
      />
    )}
  </div>
)
