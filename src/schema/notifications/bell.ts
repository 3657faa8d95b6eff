/** The switch of a bell, as a form sends it. */
import { z } from 'zod'
import { isChecked } from '../values/fields.ts'

export const BellForm = z.object({ bell: isChecked })
