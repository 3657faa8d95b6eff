/** The pages of settings about playback, downloads, the search, and how links and channels come from elsewhere. */
import type { Settings } from '../../schema/settings/settings.ts'
import { type Category, categories, categoryWords, sponsorblock_page } from '../../schema/sources/segment.ts'
import { type CaptionProgress, languageWords } from '../../schema/sources/subtitles.ts'
import { bytesWords, numberWords } from '../../schema/values/words.ts'
import { DefaultQuality } from '../downloads/quality-forms.tsx'
import type { PageContext } from '../frames/context.ts'
import {
  SavedForm,
  SettingCard,
  SettingsFrame,
  type SettingsSearch,
  Switch,
  SwitchCard,
} from '../frames/settings-frame.tsx'
import { settings_table } from '../frames/settings-table.ts'

type Props = { page: PageContext; settings: Settings }

/** Also the page of a search for a setting. */
export const PlaybackPage = ({ page, settings, search }: Props & { search?: SettingsSearch | undefined }) => (
  <SettingsFrame page={page} subject="playback" search={search}>
    <Skipping chosen={settings.skip_categories} />
    {/* WCAG 2.1.4: keys that are pressed by mistake, or by speech input, must not do anything for those who turn them off. */}
    <SwitchCard
      card="keyboard"
      action="/settings/keyboard"
      name="keyboard_shortcuts"
      checked={settings.keyboard_shortcuts}
      hint="When off, only arrows, Space, Enter and Escape work."
    />
    <PlaysNext />
  </SettingsFrame>
)

/** Kept in the browser, as the menu of the player keeps it. */
const PlaysNext = () => (
  <section id="next" class="setting-card scripted">
    <Switch
      id="autoplay"
      label={settings_table.next.label}
      hint="In this browser. The menu of the player has it too."
      name="player-autoplay"
      checked
      data-remembered
    />
    <p class="saved" role="status"></p>
  </section>
)

const Skipping = ({ chosen }: { chosen: Category[] }) => {
  const on = other_categories.filter(category => chosen.includes(category)).length
  return (
    <SettingCard
      name="skipping"
      hint={
        <>
          Marked by volunteers at <a href={sponsorblock_page}>SponsorBlock</a> (CC BY-NC-SA 4.0). Backlot never sends
          the video's id. You can turn this off per channel.
        </>
      }
    >
      <SavedForm action="/settings/skipping">
        <CategorySwitch category="sponsor" chosen={chosen} />
        <details class="more">
          <summary>Other parts{on > 0 && ` · ${on} on`}</summary>
          {other_categories.map(category => (
            <CategorySwitch category={category} chosen={chosen} />
          ))}
        </details>
      </SavedForm>
    </SettingCard>
  )
}

const other_categories = categories.filter(category => category !== 'sponsor')

const CategorySwitch = ({ category, chosen }: { category: Category; chosen: Category[] }) => (
  <Switch
    id={`skip-${category}`}
    label={categoryWords[category]}
    name="category"
    value={category}
    checked={chosen.includes(category)}
  />
)

/** `quota_bytes` is null when there is no limit. */
type Storage = { quota_bytes: number | null; on_disk_bytes: number }

/** `auto_download`: whether the videos of new channels download automatically. */
type DownloadsProps = Props & { storage: Storage; auto_download: boolean }

export const DownloadSettingsPage = ({ page, settings, storage, auto_download }: DownloadsProps) => (
  <SettingsFrame page={page} subject="downloads">
    <DefaultQuality settings={settings} />
    <SubtitleLanguages languages={settings.subtitle_languages} />
    <SettingCard
      name="auto"
      hint={`${auto_download ? 'On' : 'Off'} for channels that you follow from now on. Each channel has its own rule.`}
      leads="Change"
      spoken="auto-download"
    />
    <StorageUsed storage={storage} />
    <SettingCard
      name="cookies"
      hint="For videos that a site shows only to people who are signed in there."
      leads="Change"
      spoken="cookies"
    />
    <SettingCard name="names" hint="How files and folders are named there." leads="Change" spoken="names" />
    <SettingCard
      name="servers"
      hint="They read your folder again after downloads, and what you watched goes both ways."
      leads="Change"
      spoken="media servers"
    />
    <SettingCard name="watched" hint="Now in Disk space, or by a rule of auto-download." leads="Disk space" />
  </SettingsFrame>
)

/** A list of tags is one field for a keyboard, a screen reader and a phone alike, and needs no script. */
const SubtitleLanguages = ({ languages }: { languages: string[] }) => (
  <section id="subtitles" class="setting-card">
    <SavedForm action="/settings/subtitles" said={languages.length > 0 ? orderWords(languages) : undefined}>
      <div class="setting field">
        <div class="about">
          <label for="subtitle-languages">{settings_table.subtitles.label}</label>
          <p class="hint" id="subtitle-languages-hint">
            The order in which you prefer them, such as “de, en, pt-BR”. The player and the transcript follow it. When
            empty, English comes first, then the spoken language.
          </p>
        </div>
        <input
          id="subtitle-languages"
          name="subtitle_languages"
          value={languages.join(', ')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxlength={1000}
          aria-describedby="subtitle-languages-hint"
        />
      </div>
    </SavedForm>
  </section>
)

/** "German, then English, then Brazilian Portuguese". */
export const orderWords = (languages: string[]): string =>
  languages.length === 0 ? 'English, then the spoken language' : languages.map(languageWords).join(', then ')

const StorageUsed = ({ storage: { quota_bytes, on_disk_bytes } }: { storage: Storage }) => (
  <SettingCard
    name="storage"
    hint={
      quota_bytes === null
        ? `${bytesWords(on_disk_bytes)} used · no limit`
        : `${bytesWords(on_disk_bytes)} of ${bytesWords(quota_bytes)} used`
    }
  >
    {quota_bytes !== null && (
      <progress max={quota_bytes} value={Math.min(on_disk_bytes, quota_bytes)} aria-label="Storage used" />
    )}
  </SettingCard>
)

/** `captions`: absent while none are fetched. */
type SearchProps = Props & { captions?: CaptionProgress | undefined }

export const SearchSettingsPage = ({ page, settings, captions }: SearchProps) => (
  <SettingsFrame page={page} subject="search">
    <SwitchCard
      card="captions"
      action="/settings/captions"
      name="captions_of_all"
      checked={settings.captions_of_all}
      hint={
        <>
          Fetches captions for videos you haven't downloaded, up to 12 an hour. Shorts and hidden videos are left out.
          {captions &&
            ` So far, it has asked for the captions of ${numberWords(captions.asked)} of ${numberWords(captions.videos)} videos.`}
        </>
      }
    />
  </SettingsFrame>
)

/** `site`: the address of this site, as people reach it. */
export const TransferPage = ({ page, site }: { page: PageContext; site: string }) => (
  <SettingsFrame page={page} subject="import">
    <SettingCard name="channels" hint="From another app, from Google Takeout or from another Backlot." leads="Import" />
    <SettingCard name="export" hint="Use them in another app or another Backlot.">
      <p class="actions">
        <a class="button plain" href="/export.opml" download>
          Export as OPML
        </a>{' '}
        <a class="button plain" href="/export.json" download>
          Export as JSON
        </a>
      </p>
    </SettingCard>
    <SettingCard
      name="everything"
      hint="One file with your settings, channels, rules, videos, playlists and what you watched. You can import it on another Backlot. Video files are not included."
      aside={
        <a class="button plain" href="/api/archive" download>
          Export<span class="spoken"> everything</span>
        </a>
      }
    />
    <AddFromAnywhere site={site} />
  </SettingsFrame>
)

/**
 * The address of the bookmark, which sends the page that a person looks at to the field for links. The bookmark runs on other sites only:
 * the content security policy stops it here. `site`: the address of this site, as people reach it.
 */
export const bookmarkletOf = (site: string): string =>
  `javascript:void(location.href=${JSON.stringify(`${site}/channels/new?url=`)}+encodeURIComponent(location.href))`

const AddFromAnywhere = ({ site }: { site: string }) => (
  <SettingCard
    name="bookmark"
    hint="Drag this link to the bookmarks of your browser. On the page of a video or a channel, press the bookmark, and Backlot opens with the link filled in. On a phone, install Backlot from the menu of the browser, then share links to it from any app."
  >
    <p class="actions">
      <a class="button plain" href={bookmarkletOf(site)}>
        Add to Backlot
      </a>
    </p>
  </SettingCard>
)
