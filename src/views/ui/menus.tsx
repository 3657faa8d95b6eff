/** The parts of a menu: the three dots that open it, its links, and its acts that ask first. */
import type { Child } from 'hono/jsx'
import { webUrl } from '../../schema/http/paths.ts'
import { siteWords } from '../../schema/values/address.ts'
import { Button, Hidden, type PostProps } from './forms.tsx'
import { Icon } from './icon.tsx'

type MoreProps = {
  /** What the button says to a screen reader. */
  label: string
  kind?: 'quiet' | 'plain'
  /** Further classes. */
  class?: string
  id?: string
  open?: boolean
  title?: string
  'aria-describedby'?: string
  children?: Child
}

/** A menu behind three dots. */
export const MoreMenu = ({ label, kind = 'quiet', class: more, id, open, children, ...button }: MoreProps) => (
  <details class={more ? `menu ${more}` : 'menu'} id={id} open={open}>
    <summary class={`button ${kind}`} aria-label={label} {...button}>
      <Icon name="more" />
    </summary>
    <div class="panel">{children}</div>
  </details>
)

type ItemProps = {
  href: string
  rel?: string
  'data-next-focus'?: string
  'data-types'?: string
  children?: Child
}

export const ItemLink = ({ children, ...link }: ItemProps) => (
  <a class="item" {...link}>
    {children}
  </a>
)

/** An item that leads to this address on its site; nothing without an address. */
export const OpenOnSite = ({ url }: { url: string | null }) => {
  const address = webUrl(url)
  return address ? (
    <ItemLink href={address} rel="noreferrer">
      Open on {siteWords(address)}
    </ItemLink>
  ) : null
}

type AskProps = Pick<PostProps, 'action' | 'fields' | 'busy' | 'aria-describedby'> & {
  label: string
  does: string
  /** Classes of what opens the question. */
  class?: string
  children: Child
}

/** An item of a menu that asks before it acts. `does`: the button that acts. */
export const Ask = ({
  label,
  does,
  class: more = 'item danger',
  action,
  fields = {},
  children,
  ...button
}: AskProps) => (
  <details class="ask">
    <summary class={more}>{label}</summary>
    <form method="post" action={action}>
      <Hidden fields={fields} />
      <p>{children}</p>
      <Button kind="danger" {...button}>
        {does}
      </Button>
    </form>
  </details>
)

type AskButtonProps = Pick<AskProps, 'action' | 'fields' | 'does' | 'children'> & { what: string }

/** A button that asks before it acts. `what`: the thing it acts on, for screen readers. */
export const AskButton = ({ does, what, action, fields = {}, children }: AskButtonProps) => (
  <details class="menu">
    <summary class="button plain" aria-label={`${does} ${what}`}>
      {does}
    </summary>
    <form class="panel" method="post" action={action}>
      <p>{children}</p>
      <Hidden fields={fields} />
      <Button kind="danger">{does}</Button>
    </form>
  </details>
)
