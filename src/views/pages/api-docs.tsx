/** What programs can ask, to read and to try: Swagger UI, from its package, over the OpenAPI document. */
import { assetPath } from '../parts/asset.ts'
import type { PageContext } from '../parts/context.ts'
import { Layout } from '../parts/layout.tsx'

export const ApiDocsPage = ({ page }: { page: PageContext }) => (
  <Layout page={page} title="API">
    <link rel="stylesheet" href={assetPath(page, 'swagger-ui.css')} />
    <link rel="stylesheet" href={assetPath(page, 'api-docs.css')} />
    <script src={assetPath(page, 'swagger-ui.js')} defer></script>
    <script src={assetPath(page, 'api-docs.js')} defer></script>
    <h1>API</h1>
    <p class="lead">
      For programs: <a href="/api/openapi.json">the whole of this as an OpenAPI 3.1 document</a>. What you try here, you
      try on your own channels and videos.
    </p>
    <noscript>
      <p>Reading it on this page takes JavaScript.</p>
    </noscript>
    <div id="api-docs"></div>
  </Layout>
)
