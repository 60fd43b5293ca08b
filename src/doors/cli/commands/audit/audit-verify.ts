import { maxUnsealed } from '../../../../core/audit/audit-check.ts'
import type { AuditCheck, AuditProblem } from '../../../../core/audit/audit-check.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { createProgressLine } from '../../output/progress-line.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import { toLocalTime } from '../../output/time-words.ts'

/** The totals of the whole chain. */
interface Verdict {
  ok: boolean
  segments: number
  events: number
  from?: AuditCheck['from']
  to?: AuditCheck['to']
  removed?: AuditCheck['removed']
  unsealed: number
  problems: AuditProblem[]
}

/** `toolcrib audit verify`: goes through the chain, stretch by stretch. Exit code 1 when something is wrong. */
export async function verifyAudit(context: CommandContext): Promise<number> {
  const { screen, options, connect, environment } = context
  const { client } = await connect()
  const anchor = options.texts('anchor').join(',') || undefined
  const line = createProgressLine(screen, environment.columns)
  const verdict: Verdict = { ok: true, segments: 0, events: 0, unsealed: 0, problems: [] }
  let after: number | undefined = 0
  while (after !== undefined) {
    const query = { after, anchor, tenant: options.text('tenant') }
    const check: AuditCheck = await client.read<AuditCheck>('/audit/verify', { query })
    addUp(verdict, check)
    after = check.next
    line.show({ progress: { message: `${counted(verdict.events, 'event')} checked` } })
  }
  line.clear()
  if (screen.isJson) screen.json(verdict)
  else show(screen, verdict, anchor !== undefined)
  return verdict.ok ? exit.ok : exit.failed
}

/** More than people read; the count is still exact. */
const maxKept = 10_000

function addUp(verdict: Verdict, check: AuditCheck): void {
  verdict.segments += check.segments
  verdict.events += check.events
  verdict.from ??= check.from
  if (check.to !== undefined) verdict.to = check.to
  verdict.unsealed += check.unsealed ?? 0
  if (check.removed !== undefined) {
    const records = (verdict.removed?.records ?? 0) + check.removed.records
    verdict.removed = { records, until: check.removed.until }
  }
  if (check.problems.length > 0) verdict.ok = false
  verdict.problems.push(...check.problems.slice(0, maxKept - verdict.problems.length))
}

function show(screen: Screen, verdict: Verdict, hasAnchor: boolean): void {
  const { segments, events, from, to, removed, unsealed, problems } = verdict
  const what = `${counted(events, 'event')} in ${counted(segments, 'segment')}`
  if (problems.length === 0) {
    const anchored = hasAnchor ? ', and it matches the anchor' : ''
    screen.out(`${screen.style('green', '✓')} ${what}: as they were sealed${anchored}`)
  } else {
    screen.out(`${screen.style('red', '✗')} ${what}: ${counted(problems.length, 'problem')}`)
    for (const problem of problems) screen.out(`  ${toLine(problem)}`)
  }
  if (from !== undefined && to !== undefined) {
    screen.out(`  sealed from ${toLocalTime(from.at)} to ${toLocalTime(to.at)}`)
  }
  if (removed !== undefined) {
    const until = toLocalTime(removed.until)
    screen.out(`  ${counted(removed.records, 'record')} removed by retention, up to ${until}`)
  }
  if (unsealed > 0) {
    const many =
      unsealed >= maxUnsealed ? `${maxUnsealed} records or more` : counted(unsealed, 'record')
    screen.out(`  ${many} not sealed yet`)
  }
  if (to === undefined) return
  screen.out(`  head ${to.segment}:${toSafeLine(to.digest)}`)
  if (!hasAnchor && problems.length === 0)
    screen.err('→ Store the head elsewhere, and pass it to --anchor later.')
}

function toLine({
  segment,
  message,
  afterEvent,
  beforeEvent,
  found,
  missing,
}: AuditProblem): string {
  const places = [
    afterEvent === undefined ? '' : `after ${afterEvent}`,
    beforeEvent === undefined ? '' : `before ${beforeEvent}`,
    found === undefined ? '' : `found ${found.join(' ')}`,
    missing === undefined ? '' : `${missing} missing`,
  ]
  const where = places.filter((place) => place !== '').join(', ')
  return toSafeLine(`segment ${segment}: ${message}${where === '' ? '' : ` (${where})`}`)
}
