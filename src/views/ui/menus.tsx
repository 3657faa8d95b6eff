/** The parts of a menu: the three dots that open it, its links, and its acts that ask first. */
import type { Child } from 'hono/jsx'
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
