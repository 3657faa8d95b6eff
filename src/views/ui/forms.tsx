/** The parts of a form. A field has its label, hint and error, and links them for screen readers. */
import type { Child } from 'hono/jsx'
import { max_name_letters } from '../../schema/values/fields.ts'

/** A form as it was sent, or before. `errors`: sentences by field. */
export type FormState<Values> = { values: Values; errors: Record<string, string> }

/** The form that a field belongs to, which has a value with the name of the field. */
type OfForm<Name extends string> = FormState<{ [name in Name]?: string | undefined }>

type FieldProps<Name extends string> = {
  label: string
  label_class?: 'spoken' | undefined
  name: Name
  /** Gives the value and the error by the name. */
  form?: OfForm<Name>
  /** Absent: the name. */
  id?: string | undefined
  type?: 'text' | 'password' | 'search' | 'time'
  value?: string | undefined
  error?: string | undefined
  hint?: Child
  autocomplete?: string
  inputmode?: 'url' | 'search' | 'text' | 'numeric' | 'decimal'
  enterkeyhint?: 'go' | 'search' | 'next' | 'done'
  placeholder?: string
  required?: boolean
  autofocus?: boolean | undefined
  minlength?: number
  maxlength?: number
}

export function Field<Name extends string>({
  label,
  label_class,
  name,
  form,
  id = name,
  type = 'text',
  value = form?.values[name] ?? '',
  error = form?.errors[name],
  hint,
  autofocus,
  ...input
}: FieldProps<Name>) {
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(part => part !== '').join(' ')
  return (
    <div class="field">
      <label for={id} class={label_class}>
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        value={value}
        {...input}
        // The field with the error comes first.
        autofocus={autofocus || Boolean(error)}
        autocapitalize={type === 'password' ? undefined : 'none'}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described || undefined}
      />
      <Hint of={id} hint={hint} />
      {error && (
        <p class="fault" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** What a field is for. `of`: the id of the field, whose `aria-describedby` names this. */
export const Hint = ({ of, hint }: { of: string; hint: Child }) =>
  hint ? (
    <p class="hint" id={`${of}-hint`}>
      {hint}
    </p>
  ) : null

type NameProps = Omit<FieldProps<'name'>, 'label' | 'name'> & { label?: string }

/** The field for the name that a person gives to something of theirs. */
export const NameField = ({ label = 'Name', required = true, ...field }: NameProps) => (
  <Field label={label} name="name" {...field} autocomplete="off" required={required} maxlength={max_name_letters} />
)

export const PasswordField = <Name extends string>(field: FieldProps<Name>) => (
  <Field {...field} type="password" required />
)

/** A whole number of up to three digits. */
export const NumberField = <Name extends string>(field: FieldProps<Name>) => (
  <Field {...field} inputmode="numeric" autocomplete="off" maxlength={3} />
)

type SelectProps<Name extends string> = Pick<FieldProps<Name>, 'label' | 'name' | 'form' | 'error' | 'hint'> & {
  options: OptionsProps['of']
  chosen?: string | undefined
  'aria-describedby'?: string
}

export const Select = <Name extends string>({
  label,
  name,
  form,
  options,
  chosen = form?.values[name],
  error = form?.errors[name],
  hint,
  ...select
}: SelectProps<Name>) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name} {...select}>
      <Options of={options} chosen={chosen} />
    </select>
    <Hint of={name} hint={hint} />
    <FormError error={error} />
  </div>
)

type OptionsProps = { of: readonly (readonly [value: string, words: string])[]; chosen: string | undefined }

export const Options = ({ of, chosen }: OptionsProps) => (
  <>
    {of.map(([value, words]) => (
      <option value={value} selected={value === chosen}>
        {words}
      </option>
    ))}
  </>
)

type CheckboxProps = { label: Child; type?: 'checkbox' | 'radio'; name: string; value?: string; checked?: boolean }

export const Checkbox = ({ label, type = 'checkbox', name, value = 'on', checked = false }: CheckboxProps) => (
  <label class="checkbox">
    <input type={type} name={name} value={value} checked={checked} />
    {label}
  </label>
)

type ButtonProps = {
  /** `quiet`: without a border, for what is next to a video or a name. */
  kind?: 'main' | 'plain' | 'quiet' | 'danger'
  /** Replaces the label while the request runs. */
  busy?: string
  /** Further classes. */
  class?: string
  name?: string
  value?: string
  /** Overrides the action of the form. */
  formaction?: string
  'aria-describedby'?: string
  'aria-pressed'?: 'true' | 'false'
  'aria-label'?: string
  autofocus?: boolean
  children?: Child
}

export const Button = ({ kind = 'plain', busy, class: more, children, ...rest }: ButtonProps) => (
  <button class={more ? `button ${kind} ${more}` : `button ${kind}`} data-busy={busy} {...rest}>
    {children}
  </button>
)

/** What the page is for; at most one on a page. */
export const MainButton = (button: Omit<ButtonProps, 'kind'>) => <Button kind="main" {...button} />

type Fields = Record<string, string | readonly string[] | undefined>

/** Hidden fields. One without a value is left out, one with several values is repeated. */
export const Hidden = ({ fields }: { fields: Fields }) => (
  <>
    {Object.entries(fields).flatMap(([name, given]) =>
      [given].flat().map(value => value && <input type="hidden" name={name} value={value} />),
    )}
  </>
)

export type PostProps = ButtonProps & {
  action: string
  /** Of the form. */
  id?: string
  form_class?: string | undefined
  fields?: Fields
  /** The answer says which parts of the page change, so that a video keeps playing. */
  in_page?: boolean
}

/** A form of one button. */
export const Post = ({ id, form_class, action, fields = {}, in_page = false, ...button }: PostProps) => (
  <form
    id={id}
    class={form_class}
    method="post"
    action={action}
    hx-post={in_page ? action : undefined}
    hx-swap={in_page ? 'none' : undefined}
  >
    <Hidden fields={fields} />
    <Button {...button} />
  </form>
)

type AnswerProps = Pick<ButtonProps, 'kind' | 'busy' | 'children'> & { back: string }

/** The buttons below a question: one that acts, and the way back. */
export const ActOrCancel = ({ back, ...button }: AnswerProps) => (
  <div class="actions">
    <Button {...button} />
    <a class="button plain" href={back}>
      Cancel
    </a>
  </div>
)

/** An error of the whole form. */
export const FormError = ({ error }: { error?: string | undefined }) =>
  error ? (
    <p class="fault" role="alert">
      {error}
    </p>
  ) : null

/** A hidden field that tells password managers which account a form is about. */
export const KnownName = ({ username }: { username: string }) => (
  <input type="text" value={username} autocomplete="username" aria-label="Username" hidden readonly />
)
