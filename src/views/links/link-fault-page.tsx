/** Says that a link opens nothing. Without a fault, the page is the same for every reason. */
import type { Versions } from '../frames/context.ts'
import { LinkFrame } from '../frames/link-frame.tsx'

type Props = { versions: Versions; fault?: { title: string; detail: string } | undefined }

export const LinkFaultPage = ({ versions, fault = usual }: Props) => (
  <LinkFrame versions={versions} title={fault.title}>
    <div class="narrow">
      <div class="card">
        <h1>{fault.title}</h1>
        <p>{fault.detail}</p>
      </div>
    </div>
  </LinkFrame>
)

const usual = {
  title: 'This link opens nothing',
  detail: 'It may have expired. Ask the person who gave it to you for a new one.',
}
