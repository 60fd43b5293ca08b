import type { AuditEntry } from '../../../../core/audit/audit-filter.ts'
import type { AuditPage } from '../../../../core/audit/audit-log.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import type { Query } from '../../client/http-client.ts'
import type { Command, CommandContext, OptionSpecs, OptionValues } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { toEventLine } from '../../output/event-line.ts'
import { toLocalTime } from '../../output/time-words.ts'
import { parseDuration } from '../../parse-duration.ts'
import { parseNumber } from '../../parse-options.ts'
import { exportAudit } from './audit-export.ts'
import { verifyAudit } from './audit-verify.ts'
import { findAction } from '../../find-action.ts'

const normalLimit = 100
const pageLimit = 1000

const filterOptions = {
  who: {
    type: 'string',
    value: 'WHO',
    summary: 'by this principal, or on its behalf: user:anna, or an id',
  },
  what: {
    type: 'string',
    value: 'A,B',
    summary: 'groups (calls, approvals, people, keys, secrets, policy, …) or types of events',
  },
  tool: { type: 'string', value: 'TOOL', summary: 'about this tool' },
  agent: { type: 'string', value: 'AGENT', summary: 'by this agent' },
  outcome: {
    type: 'string',
    value: 'STATUS',
    summary: 'outcome of calls: completed, failed, denied, cancelled',
  },
  verdict: {
    type: 'string',
    value: 'VERDICT',
    choices: ['allow', 'ask', 'deny'],
    summary: 'requests with this decision',
  },
  layer: { type: 'string', value: 'LAYER', summary: 'requests decided by this policy layer' },
  session: { type: 'string', value: 'ID', summary: 'events of this session' },
  call: { type: 'string', value: 'ID', summary: 'events of this call' },
  from: { type: 'string', value: 'TIME', summary: 'since 2026-03-01, or since 24h ago' },
  to: { type: 'string', value: 'TIME', summary: 'before this time' },
  text: { type: 'string', value: 'TEXT', summary: 'with this text in its data' },
} as const satisfies OptionSpecs

/** `toolcrib audit`: the log for those who answer for it. */
export const auditCommand: Command = {
  summary: 'Search the audit log, export it, and verify that nobody changed it.',
  usage: [
    'audit [list] [--who WHO] [--what A,B] [--tool TOOL] [--outcome STATUS] [--from TIME] …',
    'audit export --out FILE [--format jsonl|csv] [the same filters]',
    'audit verify [--anchor SEGMENT:DIGEST…] [--tenant TENANT]',
  ],
  options: {
    ...filterOptions,
    limit: { type: 'string', value: 'N', summary: `stop after so many (${normalLimit})` },
    after: { type: 'string', value: 'CURSOR', summary: 'continue after this event' },
    format: {
      type: 'string',
      value: 'FORMAT',
      choices: ['jsonl', 'csv'],
      summary: 'format of the copy (jsonl, or by the name of the file)',
    },
    out: {
      type: 'string',
      value: 'FILE',
      summary: 'file for the copy; an interrupted copy is continued',
    },
    anchor: {
      type: 'string',
      value: 'N:DIGEST',
      multiple: true,
      summary: 'an anchor from an earlier check; may repeat',
    },
    tenant: { type: 'string', value: 'TENANT', summary: 'check the chain of another tenant' },
  },
  maxWords: 1,
  reads: true,
  firstWord: ['list', 'export', 'verify'],
  notes: ['Newest first. It needs the permission audit.read, which the role auditor holds.'],
  examples: [
    'toolcrib audit --what secrets,keys --from 7d',
    'toolcrib audit --tool billing.refund --outcome failed,denied',
    'toolcrib audit export --from 2026-03-01 --to 2026-04-01 --out march.csv',
    'toolcrib audit verify',
  ],
  run: (context) =>
    findAction(
      'audit',
      {
        list,
        export: (asked) => exportAudit(asked, toAuditQuery(asked.options)),
        verify: verifyAudit,
      },
      context,
    ),
}

/** The filters, as the API takes them. */
function toAuditQuery(options: OptionValues): Query {
  return {
    who: options.text('who'),
    what: options.text('what'),
    tool: options.text('tool'),
    agent: options.text('agent'),
    outcome: options.text('outcome'),
    verdict: options.text('verdict'),
    layer: options.text('layer'),
    sessionId: options.text('session'),
    callId: options.text('call'),
    from: toMoment('--from', options.text('from')),
    to: toMoment('--to', options.text('to')),
    text: options.text('text'),
  }
}

/** `24h` is 24 hours ago; the server parses anything else. */
function toMoment(option: string, text: string | undefined): string | undefined {
  if (text === undefined || !/^\d+(?:ms|s|m|h|d|w)$/.test(text)) return text
  return new Date(Date.now() - parseDuration(option, text)).toISOString()
}

async function list(context: CommandContext): Promise<number> {
  const { screen, options, connect } = context
  const limit = parseNumber(options, 'limit', { min: 1, max: 1_000_000_000 }) ?? normalLimit
  const filters = toAuditQuery(options)
  const { client } = await connect()
  let after = options.text('after')
  let seen = 0
  do {
    const query = { ...filters, after, limit: Math.min(limit - seen, pageLimit) }
    const page: AuditPage = await client.read<AuditPage>('/audit', { query })
    for (const entry of page.items) show(context, entry)
    await screen.drained()
    seen += page.items.length
    after = page.next
  } while (after !== undefined && seen < limit && !screen.closed.aborted)
  if (screen.isJson || screen.closed.aborted) return exit.ok
  if (seen === 0) screen.err('No events match.')
  if (after !== undefined) screen.err(`→ There is more: add --after ${after}`)
  return exit.ok
}

function show({ screen }: CommandContext, entry: AuditEntry): void {
  if (screen.isJson) return screen.json(entry)
  const { principal, principalName } = entry
  // Show names of people: ids mean little to readers of an audit log.
  const named = principalName === undefined ? principal : { ...principal, id: principalName }
  const day = toLocalTime(entry.at).slice(0, 10)
  const shown = { ...entry, principal: named, data: withTool(entry) }
  const line = toEventLine(shown, { ...screen, width: screen.width - 11 })
  screen.out(`${screen.style('dim', day)} ${line}`)
}

/** The event that ends a call does not contain its tool. */
function withTool({ data, tool }: AuditEntry): unknown {
  return isRecord(data) && tool !== undefined ? { ...data, tool } : data
}
