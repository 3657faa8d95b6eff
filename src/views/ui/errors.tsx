/** The page of an error: what happened, why, and what to do next. */
import type { PageContext } from './context.ts'
import { Layout } from './layout.tsx'

type ErrorProps = {
  page: PageContext
  title: string
  detail: string
  next?: { href: string; label: string } | undefined
}

export const ErrorPage = ({ page, title, detail, next }: ErrorProps) => (
  <Layout page={page} title={title}>
    <div class="narrow">
      <div class="card">
        <h1>{title}</h1>
        <p>{detail}</p>
        {next && (
          <a class="button main" href={next.href}>
            {next.label}
          </a>
        )}
      </div>
    </div>
  </Layout>
)
