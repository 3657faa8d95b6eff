/** The settings of downloads, the player, the search and the keyboard; and how links and channels come from elsewhere. */
import type { Settings } from '../../schema/settings/settings.ts'
import { categories, categoryWords, sponsorblock_page } from '../../schema/sources/segment.ts'
import type { CaptionProgress } from '../../schema/sources/subtitles.ts'
import { bytesWords, numberWords } from '../../schema/values/words.ts'
import { DefaultQuality } from '../downloads/quality.tsx'
import { ExportLinks } from '../imports/imports-page.tsx'
import type { PageContext } from '../ui/context.ts'
import { Button, Checkbox } from '../ui/forms.tsx'
import { SettingsFrame } from '../ui/layout.tsx'

/** `quota_bytes` is null when there is no limit. */
type Storage = { quota_bytes: number | null; on_disk_bytes: number }
/** `origin`: of this site, as people reach it. `captions`: absent while none are fetched. */
type SettingsProps = {
  page: PageContext
  settings: Settings
  storage: Storage
  captions?: CaptionProgress | undefined
  origin: string
}

export const SettingsPage = ({ page, settings, storage, captions, origin }: SettingsProps) => (
  <SettingsFrame page={page} title="Settings">
    <section>
      <DefaultQuality settings={settings} />
      <StorageUsed storage={storage} />
    </section>
    <Skipping settings={settings} />
    <SearchOfSpeech settings={settings} captions={captions} />
    <Keyboard settings={settings} />
    <AddFromAnywhere origin={origin} />
    <section>
      <h2>Import and export</h2>
      <p>Import subscriptions from another app, or export your channels.</p>
      <p class="actions">
        <a class="button plain" href="/import">
          Import
        </a>{' '}
        <ExportLinks />
      </p>
    </section>
  </SettingsFrame>
)

const Skipping = ({ settings: { skip_categories } }: { settings: Settings }) => (
  <section>
    <form class="settings" method="post" action="/settings/skipping">
      <h2>SponsorBlock</h2>
      <p>The player skips these parts of YouTube videos. The file stays whole.</p>
      <fieldset>
        <legend class="spoken">Parts to skip</legend>
        {categories.map(category => (
          <label class="checkbox">
            <input type="checkbox" name="category" value={category} checked={skip_categories.includes(category)} />
            {categoryWords[category]}
          </label>
        ))}
      </fieldset>
      <p class="hint">
        People mark these parts at <a href={sponsorblock_page}>SponsorBlock</a> (CC BY-NC-SA 4.0). It is asked without
        naming the video. A channel can be played whole, in its settings.
      </p>
      <Button>Save</Button>
    </form>
  </section>
)

const SearchOfSpeech = ({ settings, captions }: Pick<SettingsProps, 'settings' | 'captions'>) => (
  <section>
    <form class="settings" method="post" action="/settings/captions">
      <h2>Search</h2>
      <Checkbox
        label="Search what is said in all videos, downloaded or not"
        name="captions_of_all"
        checked={settings.captions_of_all}
      />
      <p class="hint">
        Backlot then asks the site for captions where it has no subtitles, the newest videos first, at most twelve an
        hour. Shorts and hidden videos are left out.
      </p>
      {captions && (
        <p>
          So far, it has asked for the captions of {numberWords(captions.asked)} of {numberWords(captions.videos)}{' '}
          videos.
        </p>
      )}
      <Button>Save</Button>
    </form>
  </section>
)

/** WCAG 2.1.4: keys that are pressed by mistake, or by speech input, must not do anything for those who turn them off. */
const Keyboard = ({ settings }: { settings: Settings }) => (
  <section>
    <form class="settings" method="post" action="/settings/keyboard">
      <h2>Keyboard shortcuts</h2>
      <Checkbox
        label="Use single keys, such as / to search"
        name="keyboard_shortcuts"
        checked={settings.keyboard_shortcuts}
      />
      <p class="hint">When off, letters, numbers and signs do nothing. Arrows, Space, Enter and Escape still work.</p>
      <Button>Save</Button>
    </form>
  </section>
)

const StorageUsed = ({ storage: { quota_bytes, on_disk_bytes } }: { storage: Storage }) => (
  <div class="disk-use">
    <h3>Storage</h3>
    <p>
      {quota_bytes === null
        ? `${bytesWords(on_disk_bytes)} used · no limit`
        : `${bytesWords(on_disk_bytes)} of ${bytesWords(quota_bytes)} used`}{' '}
      · <a href="/space">Disk space</a>
    </p>
    {quota_bytes !== null && (
      <progress max={quota_bytes} value={Math.min(on_disk_bytes, quota_bytes)} aria-label="Storage used" />
    )}
  </div>
)

/**
 * The address of the bookmark, which sends the page that a person looks at to the field for links. The bookmark runs on other sites only:
 * the content security policy stops it here. `origin`: of this site, as people reach it.
 */
export const bookmarkletOf = (origin: string): string =>
  `javascript:void(location.href=${JSON.stringify(`${origin}/channels/new?url=`)}+encodeURIComponent(location.href))`

const AddFromAnywhere = ({ origin }: { origin: string }) => (
  <section>
    <h2>Add from anywhere</h2>
    <p>
      Drag this link to the bookmarks of your browser. On the page of a video or a channel, click the bookmark, and
      Backlot opens with the link filled in.
    </p>
    <p class="actions">
      <a class="button plain" href={bookmarkletOf(origin)}>
        Add to Backlot
      </a>
    </p>
    <p>On a phone, install Backlot from the menu of the browser. Then share links to it from any app.</p>
  </section>
)
