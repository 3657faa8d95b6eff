// Shows our own OpenAPI document; nothing of it goes anywhere else.

const { theme } = document.documentElement.dataset
const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () =>
  document.documentElement.classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && dark.matches))

paint()
dark.addEventListener('change', paint)

// A choice that it gives no name.
const mend = () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server')

SwaggerUIBundle({
  dom_id: '#api-docs',
  url: '/api/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  onComplete: mend,
})
