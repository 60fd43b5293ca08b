import type { Api } from '../../api/client.ts'

/** What came of checking the chain, as far as it has come. */
export interface ChainResult {
  segments: number
  events: number
  problems: Api<'AuditCheck'>['problems']
  unsealed: number
  from?: string
  to?: Api<'AuditCheck'>['to']
  removed?: Api<'AuditCheck'>['removed']
  isDone: boolean
}

/** The result with one more stretch in it. */
export function withStretch(before: ChainResult, check: Api<'AuditCheck'>): ChainResult {
  const from = before.from ?? check.from?.at
  const to = check.to ?? before.to
  const removed = check.removed ?? before.removed
  return {
    segments: before.segments + check.segments,
    events: before.events + check.events,
    problems: [...before.problems, ...check.problems],
    unsealed: check.unsealed ?? before.unsealed,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(removed !== undefined && { removed }),
    isDone: check.next === undefined,
  }
}
