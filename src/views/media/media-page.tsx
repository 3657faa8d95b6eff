/** The settings of MEDIA_DIR, the folder for media servers: how the person's files are named there. */
import type { PageContext } from '../frames/context.ts'
import { SettingCard, SettingsFrame } from '../frames/settings-frame.tsx'

export const MediaPage = ({ page }: { page: PageContext }) => (
  <SettingsFrame page={page} subject="media">
    <SettingCard name="names" hint="How your downloads are named for Jellyfin, Plex and Kodi." />
  </SettingsFrame>
)
