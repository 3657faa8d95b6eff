/** The fields for the password that a person has, and for one that they choose. */
import { Field, type FormState } from '../ui/forms.tsx'

type CurrentProps = { has_password: boolean; id?: string; error?: string | undefined }

/** Asks for the password before a way to sign in is added or changed. An account without a password is not asked. */
export const CurrentPasswordField = ({ has_password, id = 'current_password', error }: CurrentProps) => {
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

type NewProps = Pick<FormState<unknown>, 'errors'> & { label: string }

/** The two fields in which a person chooses a password. `label`: "Password" or "New password". */
export const NewPasswordFields = ({ label, errors }: NewProps) => (
  <>
    <Field
      label={label}
      name="password"
      type="password"
      error={errors.password}
      hint="8 characters or more. A few words are fine."
      autocomplete="new-password"
      required
      minlength={8}
    />
    <Field
      label={`${label} again`}
      name="password_confirmation"
      type="password"
      error={errors.password_confirmation}
      autocomplete="new-password"
      required
    />
  </>
)
