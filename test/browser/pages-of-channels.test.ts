/** In a browser: every page about channels, months and disk space is accessible, small, and fits into every width. */
import { checkPages } from '../support/browser/every-page.ts'

checkPages('channels')
