// Shows our own OpenAPI document. No part of it is sent to another site.

import { base } from './site.js'

const { theme } = document.documentElement.dataset
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () =>
  document.documentElement.classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && dark.matches))

paint()
dark.addEventListener('change', paint)

// Swagger UI gives this select no label.
const addLabel = () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server')

SwaggerUIBundle({
  dom_id: '#api-docs',
  url: `${base}/api/openapi.json`,
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  onComplete: addLabel,
})
