import type { Api } from '../../api/client.ts'

/** The result of verifying the chain so far. */
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

/** The result with one more part of the chain added. */
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
