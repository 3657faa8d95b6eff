/** The addresses that an administrator hands over. Logs leave their queries out. */

/** `site`: the address of the service. */
export const resetUrl = (site: string, token: string): string => urlOf(site, '/reset-password', 'token', token)

export const invitationUrl = (site: string, token: string): string => urlOf(site, '/register', 'invitation', token)

function urlOf(site: string, path: string, name: string, secret: string): string {
  const url = new URL(site + path)
  url.searchParams.set(name, secret)
  return url.href
}
