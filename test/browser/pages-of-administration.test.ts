/** In a browser: every page about videos, downloads, settings and the rest is accessible, small, and fits into every width. */
import { checkPages } from '../support/browser/every-page.ts'

checkPages('administration')
