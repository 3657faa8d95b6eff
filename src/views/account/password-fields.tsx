/** The fields for the password that a person has, and for one that they choose. */
import { type FormState, PasswordField } from '../ui/forms.tsx'

type CurrentProps = { has_password: boolean; id?: string; error?: string | undefined }

/** Asks for the password before a way to sign in is added or changed. An account without a password is not asked. */
export const CurrentPasswordField = ({ has_password, id = 'current_password', error }: CurrentProps) => {
  if (!has_password) return error ? <p class="fault">{error}</p> : null
  return (
    <PasswordField
      label="Current password"
      name="current_password"
      id={id}
      error={error}
      autocomplete="current-password"
    />
  )
}

type NewProps = Pick<FormState<unknown>, 'errors'> & { label: string }

/** The two fields in which a person chooses a password. `label`: "Password" or "New password". */
export const NewPasswordFields = ({ label, errors }: NewProps) => (
  <>
    <PasswordField
      label={label}
      name="password"
      error={errors.password}
      hint="8 characters or more. A few words are fine."
      autocomplete="new-password"
      minlength={8}
    />
    <PasswordField
      label={`${label} again`}
      name="password_confirmation"
      error={errors.password_confirmation}
      autocomplete="new-password"
    />
  </>
)
