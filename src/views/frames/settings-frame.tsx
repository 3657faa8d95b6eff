/** The frame of the pages of settings, with their navigation and search, and the cards of which these pages consist. */
import type { Child } from 'hono/jsx'
import { Button, Hint } from '../ui/forms.tsx'
import { About } from '../ui/lists.tsx'
import type { PageContext } from './context.ts'
import { Layout } from './layout.tsx'
import {
  type FoundSetting,
  type Setting,
  type SettingName,
  type Subject,
  settings_table,
  subjects,
} from './settings-table.ts'

type FrameProps = {
  page: PageContext
  subject: Subject
  /** Absent: the name of the subject. */
  title?: string
  /** What a search for settings found; absent: none was made. */
  search?: SettingsSearch | undefined
  /** Modules that only this page needs. */
  scripts?: readonly string[]
  children?: Child
}
export type SettingsSearch = { q: string; found: FoundSetting[] }

export const SettingsFrame = ({
  page,
  subject,
  title = subjects[subject].label,
  search,
  scripts = [],
  children,
}: FrameProps) => (
  <Layout page={page} title={title === 'Settings' ? title : `${title} · Settings`} scripts={scripts}>
    <header class="heading settings-head">
      <h1>Settings</h1>
      <SearchOfSettings q={search?.q ?? ''} />
    </header>
    <div class="settings-page">
      <nav class="side-nav" aria-label="Settings">
        {Object.values(subjects).map(({ href, label, here }) => (
          <a href={href} aria-current={here.test(page.path) && !search ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="sections">
        <div id="found-settings" role="status">
          {search && <FoundSettings {...search} />}
        </div>
        {!search && (
          <div class="setting-cards">
            <h2>{title}</h2>
            {children}
          </div>
        )}
      </div>
    </div>
  </Layout>
)

const SearchOfSettings = ({ q }: { q: string }) => (
  <search>
    <form class="find-setting" method="get" action="/settings">
      <input
        type="search"
        name="q"
        value={q}
        placeholder="Find a setting"
        aria-label="Find a setting"
        autocomplete="off"
        maxlength={100}
        hx-get="/settings"
        hx-trigger="input changed delay:200ms"
        hx-sync="this:replace"
        hx-target="#found-settings"
      />
    </form>
  </search>
)

/** Empty without words, and then the page shows its cards again. */
export const FoundSettings = ({ q, found }: SettingsSearch) =>
  q.trim() === '' ? null : found.length === 0 ? (
    <p>No setting matches “{q}”.</p>
  ) : (
    <ul class="rows">
      {found.map(({ label, subject, href }) => (
        <li class="row">
          <About title={<a href={href}>{label}</a>}>{subject}</About>
        </li>
      ))}
    </ul>
  )

/** `hint`: below the title. `aside`: at its right. */
type CardProps = { id?: string; title: string; heading?: 'h2' | 'h3'; hint?: Child; aside?: Child; children?: Child }

export const Card = ({ id, title, heading: Heading = 'h3', hint, aside, children }: CardProps) => (
  <section id={id} class="setting-card">
    <div class="setting">
      <div class="about">
        <Heading>{title}</Heading>
        {hint && <p class="hint">{hint}</p>}
      </div>
      {aside}
    </div>
    {children}
  </section>
)

/** `leads`: the words of a link to the page of the setting; `spoken`: more of them for screen readers. */
type SettingCardProps = Omit<CardProps, 'id' | 'title' | 'heading'> & {
  name: SettingName
  leads?: string
  spoken?: string
}

export const SettingCard = ({ name, leads, spoken, ...card }: SettingCardProps) => {
  const { label, href }: Setting = settings_table[name]
  const link = leads && (
    <a class="button plain" href={href}>
      {leads}
      {spoken && <span class="spoken"> {spoken}</span>}
    </a>
  )
  return <Card id={name} title={label} aside={link} {...card} />
}

/** `said`: what is saved, in words. */
type SavedFormProps = { action: string; said?: string | undefined; children?: Child }

/** While a change is being saved, the last one after it waits. By default, htmx drops all but the first. */
export const saved_on_change = { 'hx-trigger': 'change', 'hx-sync': 'this:queue last', 'hx-swap': 'innerHTML' } as const

/** A form that is saved when one of its fields changes, and says so. Without a script it has a button. */
export const SavedForm = ({ action, said, children }: SavedFormProps) => (
  <form method="post" action={action} hx-post={action} hx-target="find .saved" {...saved_on_change}>
    {children}
    <p class="saved" role="status">
      {said}
    </p>
    <Button class="scriptless">Save</Button>
  </form>
)

/** The answer to a form that was saved by a change. */
export const Saved = ({ what }: { what?: string | undefined }) => (
  <span>{what === undefined ? 'Saved' : `Saved: ${what}`}</span>
)

type SwitchProps = {
  id?: string
  label: Child
  hint?: Child
  name: string
  value?: string
  checked: boolean
  /** `page/forms.js` keeps it in the browser, by its name. On until it was turned off. */
  'data-remembered'?: true
}

/** A switch with its name at the left. */
export const Switch = ({ name, id = name, label, hint, value = 'on', checked, ...kept }: SwitchProps) => (
  <div class="setting">
    <div class="about">
      <label for={id}>{label}</label>
      <Hint of={id} hint={hint} />
    </div>
    <input
      class="switch"
      type="checkbox"
      id={id}
      name={name}
      value={value}
      checked={checked}
      aria-describedby={hint ? `${id}-hint` : undefined}
      {...kept}
    />
  </div>
)

type SwitchCardProps = Omit<SwitchProps, 'label'> & { card: SettingName; action: string; label?: string }

/** A setting that is one switch. `label`: absent, the name of the setting. */
export const SwitchCard = ({ card, action, label = settings_table[card].label, ...field }: SwitchCardProps) => (
  <section id={card} class="setting-card">
    <SavedForm action={action}>
      <Switch {...field} label={label} />
    </SavedForm>
  </section>
)
