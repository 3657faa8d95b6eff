/** Where else a video on disk can be watched: in VLC or another player, on a television, or by another person. */
import type { Child } from 'hono/jsx'
import { elsewherePath, links_path, watchPath, webUrl } from '../../schema/http/paths.ts'
import { unplayableOn } from '../../schema/sources/plays-on.ts'
import { siteWords } from '../../schema/values/address.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { Card } from '../frames/settings-frame.tsx'
import { Post } from '../ui/forms.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'

type Props = {
  page: PageContext
  video: Pick<Video, 'video_id' | 'title' | 'video_url' | 'file'>
  /** The link that this request made. Its address is shown only now. */
  created?: { kind: 'play' | 'share'; url: string }
}

export const ElsewherePage = ({ page, video, created }: Props) => {
  const [original, unplayable] = [webUrl(video.video_url), unplayableOn(video.file)]
  return (
    <Layout page={page} title={`Open elsewhere: ${video.title}`}>
      <Heading title="Open elsewhere">
        <a href={watchPath(video)}>
          <bdi>{video.title}</bdi>
        </a>
      </Heading>
      <div class="setting-cards">
        {created && (
          <ShownOnce
            title={created.kind === 'share' ? 'Shared for a week' : 'The address of the file'}
            label="Address"
            text={created.url}
            shares={created.kind === 'share' ? video.title : undefined}
          >
            It won't be shown again. You can revoke it in <a href={links_path}>your links</a>.
          </ShownOnce>
        )}
        <Way
          name="VLC"
          hint="Saves a small file, which opens in VLC and in most other players."
          action={`${elsewherePath(video)}/playlist.m3u`}
        >
          Open in VLC
        </Way>
        <Way
          name="Address"
          hint="For a player or a device that takes an address. Everyone who has the address can play the video for 24 hours."
          action={elsewherePath(video)}
          kind="play"
        >
          Create address
        </Way>
        <Way
          name="Another person"
          hint="A page with this video and nothing else. Everyone who has its address can open it for a week."
          action={elsewherePath(video)}
          kind="share"
        >
          Share for a week
        </Way>
        <p class="hint">For a television with AirPlay or Cast, press “Play on a TV” in the settings of the player.</p>
        {unplayable && <p class="hint">This file may not play on {unplayable}. VLC plays it.</p>}
        {original && (
          <p>
            <a href={original} rel="noreferrer">
              Open on {siteWords(original)}
            </a>
          </p>
        )}
      </div>
    </Layout>
  )
}

type WayProps = { name: string; hint: string; action: string; kind?: 'play' | 'share'; children: Child }

const Way = ({ name, hint, action, kind, children }: WayProps) => (
  <Card
    heading="h2"
    title={name}
    hint={hint}
    aside={
      <Post action={action} fields={{ kind }}>
        {children}
      </Post>
    }
  />
)
