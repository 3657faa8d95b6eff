/** The answer to a bell that was switched on or off. */
import { notifications_path } from '../ui/paths.ts'
import { Saved } from '../ui/settings-frame.tsx'

export const BellSaved = ({ lacks_target }: { lacks_target: boolean }) => (
  <>
    <Saved />
    {lacks_target && (
      <>
        . <a href={notifications_path}>Choose where you are notified</a>
      </>
    )}
  </>
)
