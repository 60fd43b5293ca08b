import type { PastDecision } from '../../../../features/explain/schemas.ts'
import { showWrapped } from '../../output/rule-lines.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { showOne } from './show-explanation.ts'

/** The decision at that time, how it differs from now, and the current verdict of every layer. */
export function showPast(screen: Screen, past: PastDecision): void {
  const { tool, decided, outcome, difference, now } = past
  const show = (text: string, indent = 0) => showWrapped(screen, toSafeLine(text), { indent })
  show(toHead(past))
  show(`${decided.verdict}, ${decided.layer}: ${decided.rule}`, 2)
  for (const reason of decided.reasons.filter((one) => one !== decided.rule)) show(reason, 2)
  if (outcome !== undefined) {
    const { status, error } = outcome
    const because = error === undefined ? '' : ` (${error.code}: ${error.message})`
    show(`the call is ${status}${because}`, 2)
  }
  screen.out('')
  showWrapped(screen, toSafeLine(difference), { indent: 0, format: 'bold' })
  if (now === undefined) {
    show(`→ If ${tool} should be there, toolcrib check shows why it could not be loaded.`)
    return
  }
  screen.out('')
  showOne(screen, now)
}

function toHead({ kind, tool, at, principal, agent, runtime, sessionId }: PastDecision): string {
  const what = kind === 'refusal' ? 'was refused' : 'was called'
  const as = agent === undefined ? '' : ` as agent ${agent}`
  const session = sessionId === undefined ? '' : `, session ${sessionId}`
  const when = at.slice(0, 19).replace('T', ' ')
  return `${tool} ${what} on ${when} by ${principal.kind}:${principal.id}${as}, runtime ${runtime}${session}`
}
