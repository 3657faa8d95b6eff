/** A secret that is shown once, in the answer that created it, with a button that copies it. */
import type { Child } from 'hono/jsx'

type Props = { title: string; label: string; secret: string; children: Child }

export const ShownOnce = ({ title, label, secret, children }: Props) => (
  <section class="setting-card new-token" role="status">
    <h3>{title}</h3>
    <p>{children}</p>
    <div class="field">
      <label for="secret">{label}</label>
      <textarea id="secret" class="secret" rows={3} readonly autofocus>
        {secret}
      </textarea>
    </div>
    <p>
      <button type="button" class="button plain scripted" data-copies="secret">
        Copy
      </button>
    </p>
  </section>
)
