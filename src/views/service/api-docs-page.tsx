/** The documentation of the API: Swagger UI over the OpenAPI document. */
import { assetPath, type PageContext } from '../frames/context.ts'
import { Layout } from '../frames/layout.tsx'

export const ApiDocsPage = ({ page }: { page: PageContext }) => (
  <Layout page={page} title="API">
    <link rel="stylesheet" href={assetPath(page, 'swagger-ui.css')} />
    <link rel="stylesheet" href={assetPath(page, 'api-docs.css')} />
    <script src={assetPath(page, 'swagger-ui.js')} defer></script>
    <script type="module" src={assetPath(page, 'page/api-docs.js')}></script>
    <h1>API</h1>
    <p class="lead">
      Also available as an <a href="/api/openapi.json">OpenAPI 3.1 document</a>. Requests that you try here work on your
      own channels and videos.
    </p>
    <noscript>
      <p>This page needs JavaScript.</p>
    </noscript>
    <div id="api-docs"></div>
  </Layout>
)
