/** The channels a person follows, and the field to follow one more. */
import type { ChannelList } from '../../schema/channel.ts'
import { AddChannel } from '../parts/add-channel.tsx'
import { ChannelRows, Followed } from '../parts/channel-rows.tsx'
import type { PageContext } from '../parts/context.ts'
import { Layout } from '../parts/layout.tsx'

type ChannelsProps = {
  page: PageContext
  list: ChannelList
  values: { url: string }
  /** Error sentences by field. */
  errors: Record<string, string>
  error?: string | undefined
}

export const ChannelsPage = ({ page, list, values, errors, error }: ChannelsProps) => (
  <Layout page={page} title="Channels">
    <header class="heading">
      <h1>Channels</h1>
      <Followed list={list} />
    </header>
    <AddChannel first={list.followed === 0} values={values} errors={errors} error={error} />
    {list.followed > 0 && <ChannelRows list={list} now={page.now} />}
  </Layout>
)
