import type { Approval, ApprovalRule } from '../../../core/approvals/approval.ts'
import { approvalStatuses } from '../../../core/approvals/approval.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'
import { toValueLines } from '../output/value-lines.ts'
import { parseNumber, usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { findApprovalId } from './find-approval-id.ts'

/** `toolcrib approvals`: what waits for a person, and what was approved for later. */
export const approvalsCommand: Command = {
  summary: 'List what waits for a person, look at one, and manage what was approved for later.',
  usage: [
    'approvals [list] [--status STATUS] [--tool TOOL] [--limit N]',
    'approvals show <id>',
    'approvals rules [--tool TOOL]',
    'approvals revoke <rule>',
  ],
  options: {
    status: {
      type: 'string',
      value: 'STATUS',
      choices: [...approvalStatuses, 'all'],
      summary: `${approvalStatuses.join(', ')} or all (pending)`,
    },
    tool: { type: 'string', value: 'TOOL', summary: 'only for calls of this tool' },
    limit: { type: 'string', value: 'N', summary: 'how many to list (50)' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show', 'rules'],
  firstWord: ['list', 'show', 'rules', 'revoke'],
  notes: [
    'An id may be cut short as long as it is clear which is meant; a call’s id does as well.',
  ],
  examples: ['toolcrib approvals', 'toolcrib approve appr_0199…', 'toolcrib approvals rules'],
  run: (context) => findAction('approvals', { list, show, rules, revoke }, context),
}

async function list({ connect, options, screen }: CommandContext): Promise<number> {
  const status = options.text('status') ?? 'pending'
  const limit = parseNumber(options, 'limit', { min: 1, max: 200 }) ?? 50
  const { client } = await connect()
  const page = await client.read<{ items: Approval[]; next?: string }>('/approvals', {
    query: { status: status === 'all' ? undefined : status, tool: options.text('tool'), limit },
  })
  if (screen.isJson) {
    screen.json(page)
    return exit.ok
  }
  if (page.items.length === 0) {
    screen.out(status === 'pending' ? 'Nothing waits for a person.' : 'There are none.')
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'id', style: (cell) => screen.style('cyan', cell) },
      { title: 'tool', shrinkTo: 12 },
      { title: 'input', shrinkTo: 16 },
      { title: 'asked by', shrinkTo: 8 },
      { title: status === 'all' ? 'status' : 'left' },
    ],
    rows: page.items.map((approval) => [
      toSafeLine(approval.id),
      toSafeLine(approval.tool),
      toSafeLine(JSON.stringify(approval.input)),
      toSafeLine(whoAsked(approval)),
      approval.status === 'pending' ? timeLeft(approval.expiresAt) : toSafeLine(approval.status),
    ]),
  })
  if (page.next !== undefined) screen.err('! There are more; --limit 200 shows up to 200.')
  return exit.ok
}

function whoAsked({ requestedBy: { principal, agent } }: Approval): string {
  return agent ?? `${principal.kind}:${principal.id}`
}

function timeLeft(until: string): string {
  const minutes = Math.ceil((Date.parse(until) - Date.now()) / 60_000)
  if (Number.isNaN(minutes)) return ''
  if (minutes <= 0) return 'expired'
  return minutes < 120 ? `${minutes}m` : `${Math.round(minutes / 60)}h`
}

async function show({ connect, words, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const id = await findApprovalId(client, words[1])
  const approval = await client.read<Approval>(`/approvals/${encodeURIComponent(id)}`)
  if (screen.isJson) screen.json(approval)
  else showApproval(screen, approval)
  return exit.ok
}

function showApproval(screen: Screen, approval: Approval): void {
  const { id, tool, callId, status, input, reasons, needed, approvers, decisions } = approval
  screen.out(`${screen.style('cyan', toSafeLine(id))} ${screen.style('bold', toSafeLine(status))}`)
  screen.out(
    `${toSafeLine(tool)}, asked for by ${toSafeLine(whoAsked(approval))} (${toSafeLine(callId)})`,
  )
  for (const reason of reasons) screen.out(`because ${toSafeLine(reason)}`)
  if (needed > 1) screen.out(`needs ${needed} people`)
  if (approvers !== undefined) screen.out(`only ${toSafeLine(approvers.join(', '))} may decide`)
  if (status === 'pending') screen.out(`expires in ${timeLeft(approval.expiresAt)}`)
  screen.out('')
  for (const line of toValueLines(input, screen)) screen.out(line)
  if (decisions.length > 0) screen.out('')
  for (const { by, decision, reason, isEdited, at } of decisions) {
    const said = `${decision === 'approve' ? '✓' : '✗'} ${by.kind}:${by.id} ${at}`
    screen.out(toSafeLine([said, isEdited ? 'edited' : '', reason ?? ''].filter(Boolean).join(' ')))
  }
  if (status !== 'pending') return
  screen.err(`→ toolcrib approve ${toSafeLine(id)}`)
  screen.err(`→ toolcrib reject ${toSafeLine(id)} --reason …`)
}

async function rules({ connect, options, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const query = { tool: options.text('tool') }
  const { items } = await client.read<{ items: ApprovalRule[] }>('/approval-rules', { query })
  if (screen.isJson) screen.json({ items })
  else if (items.length === 0) screen.out('Nothing is approved for later.')
  else {
    showTable(screen, {
      columns: [
        { title: 'id', style: (cell) => screen.style('cyan', cell) },
        { title: 'tool', shrinkTo: 12 },
        { title: 'for', shrinkTo: 8 },
        { title: 'input', shrinkTo: 12 },
        { title: 'by', shrinkTo: 8 },
        { title: 'left' },
      ],
      rows: items.map((rule) => [
        toSafeLine(rule.id),
        toSafeLine(rule.tool),
        toSafeLine(rule.agent ?? `${rule.principal?.kind}:${rule.principal?.id}`),
        toSafeLine(describeInput(rule)),
        toSafeLine(`${rule.createdBy.kind}:${rule.createdBy.id}`),
        timeLeft(rule.expiresAt),
      ]),
    })
  }
  return exit.ok
}

function describeInput({ input }: ApprovalRule): string {
  if (input.kind === 'any') return 'any'
  return JSON.stringify(input.kind === 'same' ? input.input : input.pattern)
}

async function revoke({ connect, words, screen }: CommandContext): Promise<number> {
  const id = words[1]
  if (id === undefined) throw usageError('Which rule?', 'toolcrib approvals rules lists their ids.')
  const { client } = await connect()
  await client.send(`/approval-rules/${encodeURIComponent(id)}`, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id, revoked: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(id)} no longer holds`)
  return exit.ok
}
