/**
 * The icons on buttons, drawn as lines, because a font may lack the characters. Hidden from screen readers: the button has a label.
 * The paths are on a grid of 24 by 24.
 */
export type IconName = keyof typeof paths

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

const paths = {
  add: 'M12 5v14M5 12h14',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  captions: 'M4 5.5h16v13H4zM7.5 10.5h6M15.5 10.5h1M7.5 14h2M11.5 14h5',
  check: 'M5 12.5l4.5 4.5L19 7',
  chevron: 'M7 10l5 5 5-5',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  disk: 'M5 19h14M12 5v9M8.5 10.5L12 14l3.5-3.5',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  filter: 'M4 7h16M7 12h10M10 17h4',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  group: 'M4 6h6l2 2h8v11H4z',
  list: 'M4 6h16M4 12h16M4 18h16',
  more: 'M4.5 12h1M11.5 12h1M18.5 12h1',
  next: 'M6 5l9 7-9 7zM18 5v14',
  pause: 'M8 5v14M16 5v14',
  play: 'M8 5l11 7-11 7z',
  refresh: 'M19 6v4h-4M5 18v-4h4M18.5 10A7 7 0 0 0 6 8.5M5.5 14A7 7 0 0 0 18 15.5',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15.5 15.5L20 20',
  settings: 'M4 7h9M19 7h1M15 4.5v5M4 17h1M11 17h9M8 14.5v5',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  stored: 'M5 19h14M6.5 9.5l4 4 7-8',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  up: 'M7 14l5-5 5 5',
}
