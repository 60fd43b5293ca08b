import type { Api } from '../../../api/client.ts'

type SimulatedChange = Api<'SimulatedChange'>
type Standing = 'allow' | 'ask' | 'hidden' | 'seen'

/** How access to one tool would change. `seen` is allow or ask: the simulation does not say which. */
export interface Transition {
  tool: string
  from: Standing
  to: Standing
}

/** The tools whose access changes, losses first. */
export function toTransitions({ gains, loses, asks, allows }: SimulatedChange): Transition[] {
  const asked = new Set(asks)
  const gained = new Set(gains)
  return [
    ...loses.map((tool): Transition => ({ tool, from: 'seen', to: 'hidden' })),
    ...asks
      .filter((tool) => !gained.has(tool))
      .map((tool): Transition => ({ tool, from: 'allow', to: 'ask' })),
    ...allows.map((tool): Transition => ({ tool, from: 'ask', to: 'allow' })),
    ...gains.map((tool): Transition => ({
      tool,
      from: 'hidden',
      to: asked.has(tool) ? 'ask' : 'allow',
    })),
  ]
}
