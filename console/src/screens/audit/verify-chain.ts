import { api, read } from '../../api/client.ts'
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

interface VerifyOptions {
  /** What was kept elsewhere, as `segment:digest`. */
  anchor: string
  onProgress: (result: ChainResult) => void
  isStopped: () => boolean
}

/** Checks the whole chain, a stretch at a time. */
export async function verifyChain(options: VerifyOptions): Promise<ChainResult> {
  let result: ChainResult = { segments: 0, events: 0, problems: [], unsealed: 0, isDone: false }
  let after = 0
  while (!options.isStopped()) {
    const query = { after, ...(options.anchor !== '' && { anchor: options.anchor }) }
    const check = await read(api.GET('/api/v1/audit/verify', { params: { query } }))
    result = withStretch(result, check)
    options.onProgress(result)
    if (check.next === undefined) return result
    after = check.next
  }
  return result
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
