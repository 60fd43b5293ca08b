import { toProblem } from '../api/problem.ts'
import { Notice } from './notice.tsx'

interface RefusedProps {
  error: unknown
  /** Its issues are already shown at their fields. */
  isPlaced?: boolean
  /** Where nothing around it keeps things apart. */
  isApart?: boolean
}

/** Why the server rejected a request, and the fix. */
export function Refused({ error, isPlaced = false, isApart = false }: RefusedProps) {
  const { message, fix, issues } = toProblem(error)
  const faults = isPlaced ? [] : issues.map((issue) => issue.message)
  return (
    <Notice tone="deny" title={<span dir="auto">{message}</span>} isNews isApart={isApart}>
      {fix}
      {faults.length === 1 && <div>{faults[0]}</div>}
      {faults.length > 1 && (
        <ul>
          {[...new Set(faults)].map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
