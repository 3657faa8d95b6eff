/** A token or its address, shown once in the answer that made it, with a button that copies it, and one that hands it to another app. */
import type { Child } from 'hono/jsx'

type Props = {
  title: string
  label: string
  text: string
  /** What is shared, in words. Absent: the text is not for others. `page/forms.js` shows the button where the browser can share. */
  shares?: string | undefined
  children: Child
}

export const ShownOnce = ({ title, label, text, shares, children }: Props) => (
  <section class="setting-card new-token" role="status">
    <h2>{title}</h2>
    <p>{children}</p>
    <div class="field">
      <label for="secret">{label}</label>
      <textarea id="secret" class="secret" rows={3} readonly autofocus>
        {text}
      </textarea>
    </div>
    <p class="actions">
      <button type="button" class="button plain scripted" data-copies="secret">
        Copy
      </button>
      {shares && (
        <button type="button" class="button plain" data-shares="secret" data-title={shares} hidden>
          Share…
        </button>
      )}
    </p>
  </section>
)
