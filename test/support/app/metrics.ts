/** In this process: reads the samples of `/metrics`. */
import { expect } from 'vitest'

export const metrics_token = 'a-token-of-the-tests'

/** The value of each series, by its name with its labels as they are written. */
export const samplesIn = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

/** Scrapes a service that has `metrics_token`. */
export async function scrape(url: string): Promise<Record<string, number>> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metrics_token}` } })
  expect(answer.status).toBe(200)
  return samplesIn(await answer.text())
}
