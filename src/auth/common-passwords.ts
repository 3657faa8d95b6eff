/** The passwords that are tried first, because many people have had them: the list of zxcvbn, most of it from leaks. */
import { dictionary } from '@zxcvbn-ts/language-common'

/** 17,950 of them are as long as a password must be here. */
const common = new Set(dictionary['passwords-common'].filter(password => password.length >= 8))

/** Without regard to case. */
export const isCommon = (password: string): boolean => common.has(password.toLowerCase())
