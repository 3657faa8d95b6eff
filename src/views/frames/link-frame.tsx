/** The frame of a page for people who have a link and no account: it leads nowhere else, and runs no script. */
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import { assetPath, type Versions } from './context.ts'

export const LinkFrame = ({ versions, title, children }: { versions: Versions; title: string; children?: Child }) => (
  <>
    {raw('<!doctype html>')}
    <html lang="en" data-theme="system">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <link rel="stylesheet" href={assetPath({ versions }, 'backlot.css')} />
        <link rel="icon" href={assetPath({ versions }, 'icon.svg')} type="image/svg+xml" />
      </head>
      <body>
        <main id="main">{children}</main>
      </body>
    </html>
  </>
)
