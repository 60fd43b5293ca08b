import { toProblem } from '../api/problem.ts'
import { Notice } from './notice.tsx'

/** What the server had against what was sent, and the way out. */
export function Refused({ error }: { error: unknown }) {
  const { message, fix } = toProblem(error)
  return (
    <Notice tone="deny" title={message} isNews>
      {fix}
    </Notice>
  )
}
