/** In a browser: every page about New, groups, search and signing in is accessible, small, and fits into every width. */
import { checkPages } from '../support/browser/every-page.ts'

checkPages('news and search')
