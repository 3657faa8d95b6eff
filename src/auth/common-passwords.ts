/** The passwords that attackers try first: zxcvbn's list of common ones, most of them from leaks. */
let common: Promise<Set<string>> | undefined

/** Shorter ones are refused anyway; 17,950 remain. They take 3 MB, so they are loaded for the first new password. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter(password => password.length >= 8))
}

/** Ignores case. */
export async function isCommon(password: string): Promise<boolean> {
  common ??= loadCommon()
  return (await common).has(password.toLowerCase())
}
