/** Asks for the password before a way to sign in is added or changed. An account without a password is not asked. */
import { Field } from '../ui/forms.tsx'

type Props = { has_password: boolean; id?: string; error?: string | undefined }

export const CurrentPassword = ({ has_password, id = 'current_password', error }: Props) => {
  if (!has_password) return error ? <p class="fault">{error}</p> : null
  return (
    <Field
      label="Current password"
      name="current_password"
      id={id}
      type="password"
      error={error}
      autocomplete="current-password"
      required
    />
  )
}
