/** The page that creates a podcast of a channel, a group, a playlist or a list. The new address is shown once. */

import { links_path } from '../../schema/http/paths.ts'
import { max_episodes } from '../../schema/podcasts/podcast.ts'
import type { PageContext } from '../frames/context.ts'
import { Heading, Layout } from '../frames/layout.tsx'
import { FormError, type FormState, Hidden, MainButton, NumberField, Select } from '../ui/forms.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'

/** What the podcast lists. `path`: its page. `fields`: what names it in a form. */
export type Subject = { title: string; path: string; fields: Record<string, string> }

type Form = FormState<{ kind: string; newest: string }>

/** `url`: the address that this request made. */
type Props = Form & { page: PageContext; subject: Subject; url?: string }

export const PodcastPage = ({ page, subject, url, ...form }: Props) => (
  <Layout page={page} title={`Podcast of ${subject.title}`}>
    <Heading title="Podcast">
      <a href={subject.path}>
        <bdi>{subject.title}</bdi>
      </a>{' '}
      · <a href={links_path}>Your podcasts</a>
    </Heading>
    <div class="setting-cards">
      {url === undefined ? (
        <section class="setting-card">
          <NewPodcast subject={subject} form={form} />
        </section>
      ) : (
        <ShownOnce title="Your new podcast" label="Address" text={url}>
          Add this address to your podcast app. Copy it now: it won't be shown again. Everyone who has it can read the
          podcast.
        </ShownOnce>
      )}
    </div>
  </Layout>
)

const NewPodcast = ({ subject: { fields }, form }: { subject: Subject; form: Form }) => (
  <form class="settings" method="post" action="/podcasts/new">
    <p>A podcast app gets these videos from disk, without a sign-in. New downloads appear in it.</p>
    <Hidden fields={fields} />
    <FormError error={form.errors.body} />
    <Select form={form} label="Episodes" name="kind" options={kinds} />
    <NumberField
      form={form}
      label="Newest"
      name="newest"
      hint={`How many episodes it has at most: 1 to ${max_episodes}.`}
      required
    />
    <MainButton busy="Creating…">Create podcast</MainButton>
  </form>
)

const kinds = [
  ['video', 'Video'],
  ['audio', 'Sound only'],
] as const
