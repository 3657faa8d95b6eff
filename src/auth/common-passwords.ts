/** The passwords that attackers try first: zxcvbn's list of common ones, most of them from leaks. */
import { loadedOnce } from '../runtime/lazily.ts'

/** Shorter ones are refused anyway; 17,950 remain. They take 3 MB, so they are loaded for the first new password. */
const commonPasswords = loadedOnce(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(password => password.length >= 8))
})

/** Ignores case. */
export const isCommon = async (password: string): Promise<boolean> =>
  (await commonPasswords()).has(password.toLowerCase())
