/** One import: how far it is, what it brought, and the result of each line. */
import type { Channel } from '../../schema/channels/channel.ts'
import { channelPath, webUrl } from '../../schema/http/paths.ts'
import type { Import, ImportContent, ImportLine, LineOutcome, ListKind } from '../../schema/imports/import.ts'
import { capitalized, countWords, numberWords } from '../../schema/values/words.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { Avatar } from '../parts/thumbnails.tsx'
import { Post } from '../ui/forms.tsx'
import { Ago } from '../ui/times.tsx'

export const ImportPage = ({ page, imported, lines }: ImportProps & { page: PageContext }) => (
  <Layout page={page} title={importTitle(imported)}>
    <Heading title={importTitle(imported)}>
      Imported <Ago at={imported.created_at} now={page.now} /> · <a href="/import">Import</a>
    </Heading>
    <Progress imported={imported} lines={lines} />
    <Ticker imported={imported} />
  </Layout>
)

/** `channel`: what is followed now; `undefined`: nothing. */
type ShownLine = ImportLine & { channel?: Channel | undefined }
type ImportProps = { imported: Import; lines: ShownLine[] }

/** The answer to a poll. It is morphed, so that focus stays; once the import is finished, polling stops. */
export const ImportChanged = ({ imported, lines }: ImportProps) => (
  <>
    <hx-partial hx-target="#import" hx-swap="outerMorph">
      <Progress imported={imported} lines={lines} />
    </hx-partial>
    {imported.finished_at && (
      <hx-partial hx-target="#ticker" hx-swap="outerHTML">
        <Ticker imported={imported} />
      </hx-partial>
    )}
  </>
)

const Ticker = ({ imported }: { imported: Import }) =>
  imported.finished_at ? (
    <div id="ticker"></div>
  ) : (
    <div id="ticker" hx-get={importPath(imported)} hx-trigger="every 2s" hx-swap="none"></div>
  )

const Progress = ({ imported, lines }: ImportProps) => (
  <section id="import" class="import">
    <div class="end">
      <p role="status">{capitalized(summary(imported))}</p>
      {imported.finished_at && imported.added > 0 && (
        <a class="button main" href="/">
          See what is new
        </a>
      )}
    </div>
    <PassedOver count={imported.passed_over} />
    {!imported.finished_at && <Bar {...progressOf(imported)} />}
    {!imported.finished_at && (
      <noscript>
        <p class="quiet">
          The import runs in the background. <a href={importPath(imported)}>Show its progress now</a>
        </p>
      </noscript>
    )}
    {imported.content && <ImportedContent imported={imported} content={imported.content} />}
    {imported.finished_at && imported.failed > 0 && (
      <Post action={`${importPath(imported)}/retry`} busy="Retrying…">
        Retry failed
      </Post>
    )}
    {(lines.length > 0 || !imported.content) && <Lines lines={lines} />}
    {imported.total > lines.length && (
      <p class="quiet">{countWords(imported.total - lines.length, 'more line', 'more lines')} not shown.</p>
    )}
  </section>
)

const Bar = ({ done, of }: { done: number; of: number }) => (
  <progress value={done} max={of} aria-label="Import progress">
    {done} of {of}
  </progress>
)

const PassedOver = ({ count }: { count: number }) =>
  count > 0 && (
    <p class="quiet">
      {countWords(count, 'line')} skipped: no channel found in {count === 1 ? 'it' : 'them'}.
    </p>
  )

/** Lines and other items together. */
const progressOf = ({ total, waiting, content }: Import) => ({
  done: total - waiting + (content?.done ?? 0),
  of: total + (content?.items ?? 0),
})

/** "412 of 1,000 done, 380 channels added, 20 already followed, 12 failed", without the counts that are zero. */
export const summary = (imported: Import): string => {
  const { added, already, failed, finished_at, content } = imported
  const { done, of } = progressOf(imported)
  const words = [
    (!finished_at || of === 0) && `${numberWords(done)} of ${numberWords(of)} done`,
    added > 0 && `${countWords(added, 'channel')} added`,
    already > 0 && `${numberWords(already)} already followed`,
    failed > 0 && `${numberWords(failed)} failed`,
    ...(finished_at && content ? wordsOfContent(content) : []),
  ]
  return words.filter(Boolean).join(', ') || 'nothing new'
}

export const importPath = ({ import_id }: Pick<Import, 'import_id'>) => `/import/${encodeURIComponent(import_id)}`

const titles: Record<ListKind, string> = {
  opml: 'OPML list',
  takeout: 'YouTube subscriptions',
  newpipe: 'NewPipe subscriptions',
  freetube: 'FreeTube subscriptions',
  json: 'List from another app',
  addresses: 'Pasted list',
  history: 'Watch history',
  archive: 'Backlot archive',
}
export const importTitle = ({ kind }: Pick<Import, 'kind'>) => titles[kind]

/** What an import brought besides channels of a list, and what was left out, with the reasons. */
const ImportedContent = ({ imported, content }: { imported: Import; content: ImportContent }) => (
  <>
    <ul>{brought(content).map(itemOf)}</ul>
    {leftOut(content).length > 0 && (
      <>
        <p>Left out:</p>
        <ul class="quiet">{leftOut(content).map(itemOf)}</ul>
      </>
    )}
    {content.undated > 0 && (
      <p class="quiet">
        {countWords(content.undated, 'entry has', 'entries have')} no date that could be read. Their marks have the time
        of the import.
      </p>
    )}
    {imported.kind === 'archive' && (
      <p class="quiet">
        Rules apply to videos that are published from now on. The feeds are checked by their usual schedule, one after
        another.
      </p>
    )}
  </>
)

const itemOf = (sentence: string) => <li>{sentence}</li>

/** A few words for the list of imports. */
const wordsOfContent = (content: ImportContent) => [
  content.marked > 0 && `${numberWords(content.marked)} watched`,
  content.channels_added > 0 && countWords(content.channels_added, 'channel'),
  content.videos_added > 0 && countWords(content.videos_added, 'video'),
  content.playlists > 0 && countWords(content.playlists, 'playlist'),
  content.failed > 0 && `${numberWords(content.failed)} not saved`,
]

function brought(content: ImportContent): string[] {
  const { marked, marked_here, positions, channels_added, videos_added, pinned, playlists, queued } = content
  const later = marked > marked_here ? ' The others are marked when they appear.' : ''
  return [
    marked > 0 &&
      `${countWords(marked, 'video')} marked as watched, ${numberWords(marked_here)} of them in your library.${later}`,
    positions > 0 && `${countWords(positions, 'playback position')} taken over.`,
    channels_added > 0 && `${countWords(channels_added, 'channel')} followed.`,
    videos_added > 0 && `${countWords(videos_added, 'video')} added.`,
    pinned > 0 && `${countWords(pinned, 'video')} marked “Never delete”.`,
    playlists > 0 && `${countWords(playlists, 'playlist')} taken over.`,
    queued > 0 && `${countWords(queued, 'download')} queued.`,
  ].filter(sentence => sentence !== false)
}

/** What a person does with the playlists of another app. */
const instead_of_playlists = 'follow a public one by its link, and make others here'

function leftOut(content: ImportContent): string[] {
  const { unknown } = content
  const entries = (count: number, why: string) => count > 0 && `${countWords(count, 'entry', 'entries')} ${why}`
  const others = (count: number, what: string, why: string) => count > 0 && `${countWords(count, what)}${why}`
  const too_many = 'you have as many as one person may have here'
  return [
    entries(content.failed, 'that could not be saved, by a fault of this server'),
    others(content.ads, 'advertisement', ''),
    entries(content.music, 'of YouTube Music'),
    others(content.removed, 'video', ' that YouTube has removed, without a link'),
    entries(unknown, `that could not be read, or ${unknown === 1 ? 'is not a video' : 'are not videos'}`),
    others(content.older, 'older video', ': an import takes the newest 100,000'),
    others(content.no_room, 'mark', `: ${too_many}`),
    others(content.channels_left_out, 'channel', ': you follow as many as one person may follow here'),
    others(content.videos_left_out, 'video', `: ${too_many}, or the channel was left out`),
    others(content.playlists_left_out, 'playlist', `: ${too_many}`),
    others(content.playlists_unread, 'playlist', ` of another app: ${instead_of_playlists}`),
    others(content.pages_unread, 'page', ' without a feed, of which another app makes one'),
    others(content.playlist_videos_left_out, 'video', ' of playlists: not in your library, or the playlist is full'),
  ].filter(sentence => sentence !== false)
}

const Lines = ({ lines }: { lines: ShownLine[] }) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">Channel</th>
        <th scope="col">Result</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(line => (
        <tr class={line.outcome}>
          <td>
            <Named line={line} />
          </td>
          <td>{line.message ?? outcome_words[line.outcome]}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** A followed channel with its own name and picture; otherwise what the list says. */
const Named = ({ line: { channel, title, address } }: { line: ShownLine }) => {
  if (channel)
    return (
      <a class="with-face" href={channelPath(channel)}>
        <Avatar channel={channel} />
        <bdi>{channel.title}</bdi>
      </a>
    )
  const [href, name] = [webUrl(address), title ?? address]
  return href ? (
    <a href={href} rel="noreferrer">
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name}</bdi>
  )
}

const outcome_words: Record<LineOutcome, string> = {
  waiting: 'Waiting',
  added: 'Added',
  already: 'Already followed',
  failed: 'Could not be added',
}
