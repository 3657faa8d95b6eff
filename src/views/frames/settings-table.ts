/** All settings by subject. The navigation of the settings, their cards and the search for a setting are made from these two tables. */

/** `here`: the paths of its pages. */
export const subjects = {
  playback: { label: 'Playback', href: '/settings', here: /^\/settings$/ },
  downloads: {
    label: 'Downloads',
    href: '/settings/downloads',
    here: /^\/settings\/(downloads|cookies|media(\/servers(\/[^/]+)?)?|auto-download(\/(all|preview))?)$/,
  },
  search: { label: 'Search', href: '/settings/search', here: /^\/settings\/search$/ },
  notifications: { label: 'Notifications', href: '/settings/notifications', here: /^\/settings\/notifications(\/|$)/ },
  links: { label: 'Links and podcasts', href: '/settings/links', here: /^\/settings\/links(\/|$)/ },
  import: { label: 'Import & export', href: '/settings/import', here: /^\/settings\/import$/ },
  account: { label: 'Account', href: '/settings/account', here: /^\/settings\/(account|password|identities|delete)$/ },
  tokens: { label: 'API tokens', href: '/settings/tokens', here: /^\/settings\/tokens$/ },
} satisfies Record<string, { label: string; href: string; here: RegExp }>
export type Subject = keyof typeof subjects

/** `words`: other words that people may look for. `href`: absent, it is a card of the page of its subject. */
export type Setting = { label: string; subject: Subject; words: string; href?: string }

/** By the id of its card. */
export const settings_table = {
  skipping: {
    label: 'Skip parts of YouTube videos',
    subject: 'playback',
    words: 'sponsorblock sponsors ads self-promotion intro outro credits filler segments',
  },
  next: { label: 'Play the next video', subject: 'playback', words: 'autoplay automatically' },
  keyboard: { label: 'Single-key shortcuts', subject: 'playback', words: 'keyboard keys hotkeys' },
  quality: {
    label: 'Quality',
    subject: 'downloads',
    words: 'resolution size audio only 720p 1080p 4k h264 compatible tv mp3 m4a',
  },
  subtitles: {
    label: 'Subtitle languages',
    subject: 'downloads',
    words: 'captions tracks transcript translation order',
  },
  auto: {
    label: 'Auto-download',
    subject: 'downloads',
    words: 'automatic rules new channels older videos keep newest delete after',
    href: '/settings/auto-download',
  },
  storage: { label: 'Storage', subject: 'downloads', words: 'disk space quota limit files used' },
  watched: {
    label: 'Delete watched videos',
    subject: 'downloads',
    words: 'free disk space clean up files',
    href: '/space',
  },
  cookies: {
    label: 'Cookies',
    subject: 'downloads',
    words: 'members only sign in account age limit bot check site private netscape cookies.txt',
    href: '/settings/cookies',
  },
  names: {
    label: 'Names for media servers',
    subject: 'downloads',
    words: 'files folders media_dir template jellyfin plex kodi emby shows movies rename',
    href: '/settings/media',
  },
  servers: {
    label: 'Jellyfin, Emby and Plex',
    subject: 'downloads',
    words: 'media server watched sync scan library key token television',
    href: '/settings/media/servers',
  },
  captions: {
    label: 'Search captions of all videos',
    subject: 'search',
    words: 'subtitles transcripts what is said speech',
  },
  browser: {
    label: 'Notify me in this browser',
    subject: 'notifications',
    words: 'web push messages alerts phone desktop',
  },
  targets: {
    label: 'Where you are notified',
    subject: 'notifications',
    words: 'webhook hook ntfy apprise mail e-mail email address test new videos failed downloads',
  },
  times: {
    label: 'Quiet hours and daily limit',
    subject: 'notifications',
    words: 'night do not disturb time zone messages a day cap',
  },
  podcasts: { label: 'Your podcasts', subject: 'links', words: 'rss feed opml app audio sound listen address' },
  links: {
    label: 'Your links',
    subject: 'links',
    words: 'share shared vlc television airplay cast revoke expire address',
  },
  channels: {
    label: 'Import channels or a watch history',
    subject: 'import',
    words: 'subscriptions opml takeout youtube newpipe freetube restore archive',
    href: '/import',
  },
  export: { label: 'Export your channels', subject: 'import', words: 'opml json backup subscriptions download' },
  everything: { label: 'Export everything', subject: 'import', words: 'archive backup move another backlot' },
  bookmark: {
    label: 'Add from anywhere',
    subject: 'import',
    words: 'bookmarklet bookmark share link phone install app',
  },
  'ways-in': {
    label: 'Ways to sign in',
    subject: 'account',
    words: 'password change username name link provider single sign-on sso oidc openid',
  },
  passkeys: {
    label: 'Passkeys',
    subject: 'account',
    words: 'webauthn fido security key fingerprint face pin sign in without password',
  },
  sessions: { label: 'Signed-in devices', subject: 'account', words: 'sessions sign out everywhere log out' },
  delete: { label: 'Delete account', subject: 'account', words: 'remove close erase leave', href: '/settings/delete' },
  tokens: { label: 'Your tokens', subject: 'tokens', words: 'apps programs keys bearer access revoke' },
} satisfies Record<string, Setting>
export type SettingName = keyof typeof settings_table

export type FoundSetting = { label: string; subject: string; href: string }

/** The settings that have a word beginning with each word of `query`. */
export function findSettings(query: string): FoundSetting[] {
  const wanted = wordsOf(query)
  if (wanted.length === 0) return []
  return Object.entries<Setting>(settings_table)
    .map(([id, { label, subject, words, href }]) => {
      const about = subjects[subject]
      const has = wordsOf(`${label} ${words} ${about.label}`)
      return { has, label, subject: about.label, href: href ?? `${about.href}#${id}` }
    })
    .filter(({ has }) => wanted.every(word => has.some(other => other.startsWith(word))))
    .map(({ has: _, ...found }) => found)
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
