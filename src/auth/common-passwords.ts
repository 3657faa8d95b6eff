/** The passwords that attackers try first: zxcvbn's list of common ones, most of them from leaks. */
import { dictionary } from '@zxcvbn-ts/language-common'

/** Shorter ones are refused anyway; 17,950 remain. */
const common = new Set(dictionary['passwords-common'].filter(password => password.length >= 8))

/** Ignores case. */
export const isCommon = (password: string): boolean => common.has(password.toLowerCase())
