/** The settings of MEDIA_DIR, the folder for media servers: how the person's files are named there. */
import { media_path } from '../../schema/http/paths.ts'
import { inBraces, name_fields, usual_names } from '../../schema/values/media-names.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingsFrame } from '../frames/settings-frame.tsx'
import { settings_table } from '../frames/settings-table.ts'
import { Button, Field, MainButton } from '../ui/forms.tsx'

/** `paths`: of some videos, by the template. `error`: what is wrong in the template. */
type NamesProps = { paths?: string[]; error?: string | undefined }

/** `media_names`: as it was typed. `is_kept`: whether a worker has MEDIA_DIR. */
type Props = NamesProps & { page: PageContext; media_names: string; is_kept: boolean }

export const MediaPage = ({ page, media_names, is_kept, paths = [], error }: Props) => (
  <SettingsFrame page={page} subject="downloads" title={settings_table.names.label}>
    {!is_kept && (
      <p class="hint">Media servers find your downloads once the operator of this Backlot has set MEDIA_DIR.</p>
    )}
    <section class="setting-card">
      <p class="hint">
        How your downloads are named in the folder for media servers. A new template renames all of them, and media
        servers may forget what was watched.
      </p>
      <form method="post" action={media_path}>
        <Field
          label="Template"
          name="media_names"
          value={media_names}
          error={error}
          placeholder={usual_names}
          hint="With “/” between folders. Leave it empty for the usual one."
          autocomplete="off"
        />
        <div
          class="media-names"
          role="status"
          hx-post={`${media_path}/preview`}
          hx-trigger='input delay:400ms from:"closest form"'
          hx-include="closest form"
          hx-sync="this:replace"
          hx-swap="innerHTML"
        >
          <NamesPreview paths={paths} />
        </div>
        <div class="buttons">
          <MainButton>Save</MainButton>
          <Button class="scriptless" formaction={`${media_path}/preview`}>
            Preview
          </Button>
        </div>
        <details class="more">
          <summary>What it may contain</summary>
          <dl class="facts-list">
            {Object.entries(name_fields).map(([field, words]) => (
              <>
                <dt>
                  <code>{inBraces(field)}</code>
                </dt>
                <dd>{words}</dd>
              </>
            ))}
          </dl>
          <p class="hint">
            Without S{'{season}'}E{'{episode}'} in the name of the file, media servers see a film.
          </p>
        </details>
      </form>
    </section>
  </SettingsFrame>
)

/** The answer to htmx. The field stays as it is typed, so its error is here. */
export const NamesPreview = ({ paths = [], error }: NamesProps) => (
  <>
    {error && <p class="fault">{error}</p>}
    {paths.map(path => (
      <p>
        <code dir="auto">{path}</code>
      </p>
    ))}
  </>
)
