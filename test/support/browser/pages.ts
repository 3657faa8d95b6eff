/** In a browser: the list of all pages, which `every-page.ts` checks. Add a new page here. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { administration, locked_name, longest_name } from '../app/administration.ts'
import { type Person, person } from '../app/people.ts'
import { addFacts, addNamed, known_id, reset_token, scene } from '../app/scene.ts'
import type { useSite } from './site.ts'

type Visited = { path: string; signed_out?: true; no_channels?: true; as_administrator?: true }

/** Every page, by what it is about. */
export const pages = {
  'news and search': [
    { path: '/login', signed_out: true },
    { path: '/register', signed_out: true },
    { path: '/mails/unknown', signed_out: true },
    { path: `/reset-password?token=${reset_token}`, signed_out: true },
    { path: '/', no_channels: true },
    { path: '/' },
    { path: '/?seen=false' },
    { path: '/?seen=true' },
    { path: '/?select=1' },
    { path: '/?on_disk=true' },
    { path: '/?later=true' },
    { path: '/?dismissed=true' },
    { path: '/groups' },
    { path: `/groups/${known_id}` },
    { path: '/groups', no_channels: true },
    { path: '/search' },
    { path: '/search?q=bread' },
    { path: '/search?q=bread&sort=newest' },
    { path: '/search?q=zzzz' },
    {
      path: '/search?q=bread+is%3Aunwached+-on%3Adisk+channel%3A%22a+name+that+is+longer+than+the+screen+of+a+phone%22',
    },
  ],
  channels: [
    { path: '/channels/kitchen/groups' },
    { path: '/channels' },
    { path: '/channels/new?url=videos.example' },
    { path: '/channels/new?url=bread' },
    { path: '/channels/kitchen' },
    { path: '/channels/kitchen?status=failed' },
    { path: '/channels/kitchen?select=1' },
    { path: '/channels/kitchen?month=2026-05&sort=longest' },
    { path: '/channels/kitchen?view=grid' },
    { path: '/channels/kitchen/months?view=list' },
    { path: '/channels/facts?view=list' },
    { path: '/months' },
    { path: '/space' },
    { path: '/space?days=7' },
    { path: '/space/channels/kitchen/delete' },
    { path: '/space', no_channels: true },
    { path: '/channels/kitchen?q=bread' },
    { path: '/channels?q=zzzz' },
    { path: '/channels?select=1' },
    { path: '/channels?followed=false' },
    { path: '/channels?followed=false', no_channels: true },
    { path: '/channels/films' },
    { path: '/channels/kitchen/settings' },
    { path: '/channels/empty' },
    { path: '/channels/facts' },
    { path: '/channels/rules' },
  ],
  'videos and settings': [
    { path: '/history' },
    { path: '/history?q=zzzz' },
    { path: '/history', no_channels: true },
    { path: '/playlists' },
    { path: '/playlists', no_channels: true },
    { path: '/playlists/choose?video_id=done-1' },
    { path: `/playlists/${known_id}` },
    { path: `/playlists/${known_id}?select=1` },
    { path: '/watch/single' },
    { path: '/watch/done-1' },
    { path: '/watch/done-1/transcript' },
    { path: '/watch/done-1/elsewhere' },
    { path: '/watch/running' },
    { path: '/watch/fact-live' },
    { path: '/watch/fact-members' },
    { path: '/watch/fact-lost' },
    { path: '/watch/fact-kept' },
    { path: '/watch/fact-approximate' },
    { path: '/watch/fact-day' },
    { path: '/downloads' },
    { path: '/downloads', no_channels: true },
    { path: '/downloads?show=failed' },
    { path: '/podcasts/new?channel_id=kitchen' },
    { path: '/downloads/outlook' },
    { path: '/downloads/outlook?channel_id=kitchen' },
    { path: '/bin' },
    { path: '/bin', no_channels: true },
    { path: '/import' },
    { path: '/settings' },
    { path: '/settings?q=caption' },
    { path: '/settings/downloads' },
    { path: '/settings/search' },
    { path: '/settings/notifications' },
    { path: `/settings/notifications/${known_id}` },
    { path: '/settings/links' },
    { path: '/settings/import' },
    { path: '/settings/auto-download' },
    { path: '/settings/cookies' },
    { path: '/settings/account' },
    { path: '/settings/tokens' },
    { path: '/settings/delete' },
    { path: '/api/docs' },
    { path: '/nowhere' },
  ],
  administration: [
    { path: '/admin', as_administrator: true },
    { path: '/admin?q=zzzz&sort=bytes', as_administrator: true },
    { path: `/admin/people/${longest_name}`, as_administrator: true },
    { path: `/admin/people/${locked_name}`, as_administrator: true },
    { path: '/admin/people/missing', as_administrator: true },
    { path: '/admin/invitations', as_administrator: true },
    { path: '/admin/log', as_administrator: true },
    { path: '/health', as_administrator: true },
    { path: '/settings/tokens', as_administrator: true },
  ],
} satisfies Record<string, Visited[]>

/**
 * Opens these pages in turn: as alice, who has everything, as a new person, as an administrator, or signed out.
 * `script` runs in each page before its own scripts.
 */
export async function onEachPage(
  site: ReturnType<typeof useSite>,
  about: keyof typeof pages,
  { script, ...options }: BrowserContextOptions & { script?: string },
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const [alice, newcomer] = [await scene(site.sql, site.folder), await person(site.sql, 'newcomer')]
  await addFacts(alice, site.folder)
  await addNamed(site.sql, alice)
  const open = async (who?: Person) => {
    const { page } = await site.open(who, options)
    if (script) await page.addInitScript(script)
    return page
  }
  const admin = about === 'administration' ? await administration(site.sql) : undefined
  const [hers, empty, signed_out, administrators] = await Promise.all([
    open(alice),
    open(newcomer),
    open(),
    open(admin),
  ])
  for (const { path, ...as } of pages[about] as Visited[]) {
    const page = as.signed_out ? signed_out : as.no_channels ? empty : as.as_administrator ? administrators : hers
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(/nowhere|missing/.test(path) ? 404 : 200)
    if (path === '/api/docs') await page.locator('.opblock').last().waitFor({ timeout: 60_000 })
    await look(page, as.no_channels ? `${path} with nothing yet` : path)
  }
}
