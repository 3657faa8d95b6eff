/** Through the app: creates accounts and signs in as a browser does, by forms and cookies. */
import type { Ask } from './app.ts'

export const password = 'correct horse battery'

export const registration = (username: string, more = {}) => ({
  username,
  password,
  password_confirmation: password,
  ...more,
})

export const cookieOf = (answer: Response, name: string): string =>
  answer.headers.getSetCookie().find(cookie => cookie.startsWith(`${name}=`)) ?? ''
export const pairOf = (cookie: string): string => cookie.split(';')[0] ?? ''

type App = { ask(path: string, more?: Ask): Promise<Response> }

/** A person with an account, and headers that sign in as them. */
export async function newcomer({ ask }: App, username: string) {
  const answer = await ask('/register', { form: registration(username), from: `register-${username}` })
  if (answer.status !== 303) throw new Error(`could not register: ${answer.status}`)
  return { username, headers: { cookie: pairOf(cookieOf(answer, 'session')) } }
}

export async function signInAgain({ ask }: App, username: string, more: Ask & { form?: Record<string, string> } = {}) {
  const answer = await ask('/login', { ...more, form: { username, password, ...more.form } })
  return { status: answer.status, headers: { cookie: pairOf(cookieOf(answer, 'session')) } }
}

/** The message that an answer stores for the next page. */
export const flashOf = (answer: Response) =>
  JSON.parse(
    Buffer.from(/flash=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '', 'base64url').toString(),
  )
