/** The settings of what opens without a sign-in: the person's podcasts, and their links to videos. */

import { links_path, watchPath } from '../../schema/http/paths.ts'
import type { Link } from '../../schema/links/link.ts'
import type { Podcast } from '../../schema/podcasts/podcast.ts'
import type { PageContext } from '../frames/context.ts'
import { SettingCard, SettingsFrame } from '../frames/settings-frame.tsx'
import { Post } from '../ui/forms.tsx'
import { About, Rows } from '../ui/lists.tsx'
import { Ask, MoreMenu } from '../ui/menus.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { LastUse, Planned } from '../ui/times.tsx'

type Props = {
  page: PageContext
  links: Link[]
  podcasts: Podcast[]
  /** By podcast: why which videos have no sound. */
  missing: Map<string, string>
  /** The address that this request made for a podcast. It is shown only now. */
  created?: { podcast_id: string; url: string }
}

export const LinksPage = ({ page, links, podcasts, missing, created }: Props) => (
  <SettingsFrame page={page} subject="links">
    {created && (
      <ShownOnce
        title={`New address of ${podcasts.find(({ podcast_id }) => podcast_id === created.podcast_id)?.title ?? 'the podcast'}`}
        label="Address"
        text={created.url}
      >
        Copy it now. It won't be shown again. Your other addresses stay valid.
      </ShownOnce>
    )}
    <SettingCard
      name="podcasts"
      hint="Your videos on disk in a podcast app, as video or as sound. Create one by “Podcast” in the menu of a channel, a group, a playlist, Watch later or Downloads."
      aside={
        podcasts.length > 0 && (
          <a class="button plain" href="/api/podcasts.opml" download>
            Export as OPML
          </a>
        )
      }
    >
      <Rows
        of={podcasts}
        row={podcast => <PodcastRow podcast={podcast} missing={missing.get(podcast.podcast_id)} now={page.now} />}
      />
    </SettingCard>
    <SettingCard
      name="links"
      hint="Everyone who has the address of a link can play the video, until the link expires or you revoke it. Create one by “Open elsewhere” in the menu of a video."
    >
      <Rows of={links} row={link => <LinkRow link={link} now={page.now} />} />
    </SettingCard>
  </SettingsFrame>
)

type PodcastRowProps = { podcast: Podcast; missing: string | undefined; now: Date }

const PodcastRow = ({ podcast, missing, now }: PodcastRowProps) => {
  const { podcast_id, title, kind, newest, last_used_at } = podcast
  const path = `${links_path}/podcasts/${podcast_id}`
  return (
    <li class="row">
      <About title={<bdi>{title}</bdi>} below={missing && <p class="quiet">{missing}</p>}>
        {kind === 'audio' ? 'Sound' : 'Video'} · newest {newest} · <LastUse at={last_used_at} now={now} />
      </About>
      <MoreMenu label={`Actions for ${title}`}>
        <Post action={`${path}/address`} class="item">
          New address
        </Post>
        <Ask label="Delete podcast" action={`${path}/delete`} does="Delete podcast">
          Delete the podcast <bdi>{title}</bdi>? Apps can no longer read it. The videos stay.
        </Ask>
      </MoreMenu>
    </li>
  )
}

const LinkRow = ({ link, now }: { link: Link; now: Date }) => {
  const { link_id, kind, video_id, title, last_used_at, expires_at } = link
  const name = title ?? 'A video that you no longer have'
  return (
    <li class="row">
      <About
        title={
          title === null ? (
            name
          ) : (
            <a href={watchPath({ video_id })}>
              <bdi>{title}</bdi>
            </a>
          )
        }
      >
        {kind === 'share' ? 'Shared page' : 'File for a player'} · <LastUse at={last_used_at} now={now} /> · expires{' '}
        <Planned at={expires_at} now={now} />
      </About>
      <Post action={`${links_path}/${link_id}/revoke`} aria-label={`Revoke the link to ${name}`}>
        Revoke
      </Post>
    </li>
  )
}
