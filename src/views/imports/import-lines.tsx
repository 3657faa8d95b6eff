/** The lines of an import and the result of each. */
import type { ImportLine, LineOutcome } from '../../schema/imports/import.ts'
import { channelPath, webUrl } from '../ui/paths.ts'

export const Lines = ({ lines }: { lines: ImportLine[] }) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">Channel</th>
        <th scope="col">Result</th>
      </tr>
    </thead>
    <tbody>
      {lines.map(line => (
        <tr class={line.outcome}>
          <td>
            <Named line={line} />
          </td>
          <td>{line.message ?? outcome_words[line.outcome]}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Named = ({ line }: { line: ImportLine }) => {
  const href = line.channel_id === null ? webUrl(line.address) : channelPath({ channel_id: line.channel_id })
  const name = line.title ?? line.address
  return href ? (
    <a href={href} rel={line.channel_id === null ? 'noreferrer' : undefined}>
      {name}
    </a>
  ) : (
    <span>{name}</span>
  )
}

const outcome_words: Record<LineOutcome, string> = {
  waiting: 'Waiting',
  added: 'Added',
  already: 'Already followed',
  failed: 'Could not be added',
}
