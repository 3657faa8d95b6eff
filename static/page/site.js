// Where this site is: at the root of its host, or below a path.

/** What every path of this site begins with: '' or such as '/backlot'. */
export const base = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')
