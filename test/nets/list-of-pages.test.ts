/** Checks that the list of pages, which tests visit, has every page of a route. */
import { expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'
import { pages } from '../support/app/pages.ts'

const site = useApp()

/** Not pages: files, parts of pages, what other programs ask, and addresses that lead on. */
const others = [
  /^\/(static|stream|download|export|push|pictures|f|s\/:secret)\b[/.:]/,
  /^\/(favicon\.ico|service-worker\.js|pictures|export\.\w+|healthz|readyz)$/,
  /^\/(search\/suggestions|groups\/(column|tick)|videos\/:video_id\/menu|channels\/:channel_id\/backfill)$/,
  /^\/(login\/oidc|login\/oidc\/callback|channels\/:channel_id\/feeds)$/,
  /^\/api\/(?!docs$)/,
]

it('the list of pages has every page of a route', () => {
  const routes = new Set(site.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const ofPages = [...routes].filter(route => !others.some(other => other.test(route)))
  const visited = Object.values(pages)
    .flat()
    .map(({ path }) => path.replace(/\?.*/, ''))
  const isVisited = (route: string) => {
    const pattern = new RegExp(`^${route.replaceAll(/:[^/]+/g, '[^/]+')}$`)
    // `/channels/new` is no page of `/channels/:channel_id`.
    return visited.some(path => path === route || (pattern.test(path) && !routes.has(path)))
  }
  expect(ofPages.length).toBeGreaterThan(30)
  expect(ofPages.filter(route => !isVisited(route))).toEqual([])
})
