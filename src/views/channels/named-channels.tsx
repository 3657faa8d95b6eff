/** The channels with a name that a person typed instead of a link, each with a button to follow it. */
import type { FoundByName } from '../../schema/channels/channel-api.ts'
import { AddChannel } from '../ui/add-channel.tsx'
import { Avatar } from '../ui/avatar.tsx'
import type { PageContext } from '../ui/context.ts'
import { Button } from '../ui/forms.tsx'
import { Layout } from '../ui/layout.tsx'
import { channelPath, webUrl } from '../ui/paths.ts'

type NamedProps = { page: PageContext; words: string; found: FoundByName }

export const NamedChannelsPage = ({ page, words, found: { channels, tried } }: NamedProps) => (
  <Layout page={page} title={`Channels called ${words}`}>
    <header class="heading">
      <h1>
        Channels called “<bdi>{words}</bdi>”
      </h1>
    </header>
    {channels.length > 0 ? (
      <ul class="rows named">
        {channels.map(channel => (
          <Named channel={channel} />
        ))}
      </ul>
    ) : (
      <p class="empty">No channel with this name was found. Paste the link of the channel instead.</p>
    )}
    {tried.map(sentence => (
      <p class="quiet">{sentence}</p>
    ))}
    <AddChannel again url={words} />
  </Layout>
)

const Named = ({ channel: { title, page_url, site, followed } }: { channel: FoundByName['channels'][number] }) => (
  <li class="row">
    <Avatar channel={{ channel_id: page_url, title, picture_url: followed?.picture_url ?? null }} is_awaited={false} />
    <div class="about">
      <p class="title">
        <a href={followed ? channelPath(followed) : webUrl(page_url)} rel={followed ? undefined : 'noreferrer'}>
          <bdi>{title}</bdi>
        </a>
      </p>
      <p class="quiet">
        <bdi>{site}</bdi>
      </p>
    </div>
    {followed ? (
      <p class="quiet">Following</p>
    ) : (
      <form method="post" action="/channels">
        <input type="hidden" name="url" value={page_url} />
        <Button busy="Following…">Follow</Button>
      </form>
    )}
  </li>
)
