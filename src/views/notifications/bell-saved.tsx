/** The answer to a bell that was switched on or off. */
import { notifications_path } from '../../schema/http/paths.ts'
import { Saved } from '../frames/settings-frame.tsx'

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
