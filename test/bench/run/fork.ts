/** Forks a program of the bench that does without the service. It ends with its row. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { endAfterRow } from './children.ts'

export type Forked<Message> = { child: ChildProcess; message: Message }

/** Resolves with the first message of the program. Rejects when it ends before. */
export async function forked<Message>(file: URL, args: string[] = [], first?: object): Promise<Forked<Message>> {
  const child = endAfterRow(fork(file, args, { execArgv: [] }))
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file.pathname} ended with ${code}`)))
  if (first) child.send(first)
  const [message] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return { child, message: message as Message }
}
