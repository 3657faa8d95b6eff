/** In its own process: Debian's apprise, which sends messages to services. It has no server. */
import { execa } from 'execa'

export const apprise_is_here = await execa('apprise', ['--version']).then(
  () => true,
  () => false,
)
