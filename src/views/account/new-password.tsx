/** The two fields in which a person chooses a password. */
import { Field } from '../ui/forms.tsx'

/** `name`: the label, "Password" or "New password". */
export const NewPassword = ({ name, errors }: { name: string; errors: Record<string, string> }) => (
  <>
    <Field
      label={name}
      name="password"
      type="password"
      error={errors.password}
      hint="8 characters or more. A few words are fine."
      autocomplete="new-password"
      required
      minlength={8}
    />
    <Field
      label={`${name} again`}
      name="password_confirmation"
      type="password"
      error={errors.password_confirmation}
      autocomplete="new-password"
      required
    />
  </>
)
