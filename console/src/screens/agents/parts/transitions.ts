import type { Api } from '../../../api/client.ts'

type SimulatedChange = Api<'SimulatedChange'>
type Access = 'allow' | 'ask' | 'hidden'

/** How access to one tool would change. */
export interface Transition {
  tool: string
  from: Access
  to: Access
}

/** The tools whose access changes, losses first. */
export function toTransitions(change: SimulatedChange): Transition[] {
  const { gains, loses, asked, asks, allows } = change
  const neededApproval = new Set(asked)
  const needsApproval = new Set(asks)
  const gained = new Set(gains)
  return [
    ...loses.map((tool): Transition => ({
      tool,
      from: neededApproval.has(tool) ? 'ask' : 'allow',
      to: 'hidden',
    })),
    ...asks
      .filter((tool) => !gained.has(tool))
      .map((tool): Transition => ({ tool, from: 'allow', to: 'ask' })),
    ...allows.map((tool): Transition => ({ tool, from: 'ask', to: 'allow' })),
    ...gains.map((tool): Transition => ({
      tool,
      from: 'hidden',
      to: needsApproval.has(tool) ? 'ask' : 'allow',
    })),
  ]
}
