/** A row of links of which one is chosen: filters and orders of a list. */
import type { Child } from 'hono/jsx'

export type Chip = { href: string; label: Child; is_here: boolean; class?: string; tip?: string }
type ChipsProps = { label: string; chips: Chip[]; id?: string; class?: string }

export const Chips = ({ label, chips, ...nav }: ChipsProps) => (
  <nav aria-label={label} {...nav}>
    {chips.map(chip => (
      <a
        class={chip.class ? `chip ${chip.class}` : 'chip'}
        href={chip.href}
        title={chip.tip}
        aria-current={chip.is_here ? 'true' : undefined}
      >
        {chip.label}
      </a>
    ))}
  </nav>
)
