import type { Approval, DecisionRequest } from '../../../../core/approvals/approval.ts'
import type { DecisionAnswer } from '../../../../features/approvals/schemas.ts'
import type { CallRecord } from '../../../../core/kernel/call.ts'
import { type ErrorCode, ToolError } from '../../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../../core/kernel/tool.ts'
import { readInput } from '../../call/read-input.ts'
import { exitCodeOf, showResult } from '../../call/show-result.ts'
import { watchCall } from '../../call/watch-call.ts'
import type { Connection } from '../../client/find-server.ts'
import type { Command, CommandContext, OptionSpecs, OptionValues } from '../../command.ts'
import { exit, exitCodes } from '../../exit-codes.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { showToolError } from '../../show-error.ts'
import { findApprovalId } from './find-approval-id.ts'

const maxIds = 100

const reason: OptionSpecs = {
  reason: {
    type: 'string',
    value: 'TEXT',
    summary: 'the reason; callers see the reason of a rejection',
  },
}

/** `toolcrib approve`: say yes to calls that wait for a person. */
export const approveCommand: Command = {
  summary: 'Approve pending calls, as they are or with another input.',
  usage: [
    'approve <id…> [--input JSON|@FILE|-] [--reason TEXT] [--remember TIME [--match …]] [--watch]',
  ],
  options: {
    ...reason,
    input: {
      type: 'string',
      value: 'JSON|@FILE|-',
      summary: 'run the call with this input instead',
    },
    remember: {
      type: 'string',
      value: 'TIME',
      summary: 'also approve similar calls for 2h, 7d, … (at most 30d)',
    },
    match: {
      type: 'string',
      value: 'same|any|JSON',
      summary:
        'which calls are similar: with the same input (same), any, or these fields; * in texts matches anything',
    },
    watch: { type: 'boolean', summary: 'follow the call to its end and show its result' },
  },
  maxWords: maxIds,
  examples: [
    'toolcrib approve appr_0199… --watch',
    `toolcrib approve appr_0199… --input '{"cents":500}' --reason "less is enough"`,
    `toolcrib approve appr_0199… --remember 2h --match '{"path":"/reports/*"}'`,
  ],
  run: (context) => decide('approve', context),
}

/** `toolcrib reject`: say no. */
export const rejectCommand: Command = {
  summary: 'Reject pending calls; the caller sees the reason.',
  usage: ['reject <id…> [--reason TEXT]'],
  options: reason,
  maxWords: maxIds,
  examples: ['toolcrib reject appr_0199… --reason "wrong invoice"'],
  run: (context) => decide('reject', context),
}

async function decide(
  decision: DecisionRequest['decision'],
  context: CommandContext,
): Promise<number> {
  const { words, connect } = context
  if (words.length === 0) throw usageError('Which approval?', 'toolcrib approvals lists their ids.')
  const request = await toRequest(decision, context)
  if (request.input !== undefined && words.length > 1) {
    throw usageError('--input takes one approval.', 'Approve the others without it.')
  }
  const connection = await connect()
  const ids: string[] = []
  for (const word of words) ids.push(await findApprovalId(connection.client, word))
  const [only = ''] = ids
  if (ids.length > 1) return decideAll(ids, request, { ...context, connection })
  const approval = await connection.client.read<Approval>(
    `/approvals/${encodeURIComponent(only)}/decision`,
    { method: 'POST', body: request },
  )
  return showDecided(approval, { ...context, connection })
}

async function toRequest(
  decision: DecisionRequest['decision'],
  { options, environment }: CommandContext,
): Promise<DecisionRequest> {
  const input = await readInput(options.text('input'), environment)
  const given = options.text('reason')
  const lasts = options.text('remember')
  const match = options.text('match')
  if (match !== undefined && lasts === undefined) {
    throw usageError('--match is only used with --remember.', 'Write --remember 2h as well.')
  }
  return {
    decision,
    ...(input !== undefined && { input }),
    ...(given !== undefined && { reason: given }),
    ...(lasts !== undefined && {
      remember: { for: lasts, ...(match !== undefined && { match: toMatch(match) }) },
    }),
  }
}

function toMatch(text: string): NonNullable<NonNullable<DecisionRequest['remember']>['match']> {
  if (text === 'same' || text === 'any') return `${text}-input`
  try {
    const value = JSON.parse(text) as JsonValue
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Reported below.
  }
  throw usageError(`--match takes same, any or a JSON object, not ${text}.`)
}

type Connected = CommandContext & { connection: Connection }

/** Without a server nobody else would run the call, so this command waits for it. */
function isFollowed(options: OptionValues, { kind }: Connection): boolean {
  return options.flag('watch') || kind === 'local'
}

async function showDecided(approval: Approval, context: Connected): Promise<number> {
  const { screen, options, connection } = context
  if (approval.status !== 'approved' || !isFollowed(options, connection)) {
    if (screen.isJson) screen.json(approval)
    else printDecided(approval, context)
    return exit.ok
  }
  if (!screen.isJson) printDecided(approval, context)
  const { signal } = new AbortController()
  const record: CallRecord = await watchCall(connection.client, approval.callId, {
    onOutput: () => undefined,
    signal,
  })
  if (screen.isJson) screen.json({ approval, call: record })
  else showResult(screen, record, [])
  return exitCodeOf(record)
}

function printDecided(approval: Approval, { screen, options, connection }: Connected): void {
  const { id, tool, status, callId, needed, decisions, revision } = approval
  const mark = screen.errStyle('green', '✓')
  if (status === 'pending') {
    const yes = decisions.filter((made) => made.revision === revision).length
    screen.err(
      `${mark} ${toSafeLine(tool)}: ${yes} of ${needed} people have approved ${toSafeLine(id)}`,
    )
    return
  }
  screen.err(`${mark} ${toSafeLine(tool)} is ${toSafeLine(status)}`)
  if (status === 'approved' && !isFollowed(options, connection)) {
    screen.err(`→ toolcrib call --watch ${toSafeLine(callId)} follows it to its end.`)
  }
}

async function decideAll(
  ids: readonly string[],
  request: DecisionRequest,
  context: Connected,
): Promise<number> {
  const { screen, connection } = context
  const { items } = await connection.client.read<{ items: DecisionAnswer[] }>(
    '/approvals/decisions',
    {
      method: 'POST',
      body: { decisions: ids.map((id) => ({ id, ...request })) },
    },
  )
  if (screen.isJson) screen.json({ items })
  else for (const item of items) showAnswer(item, context)
  const failed = items.find(({ error }) => error !== undefined)?.error
  return failed === undefined ? exit.ok : (exitCodes[failed.code as ErrorCode] ?? exit.failed)
}

function showAnswer({ id, approval, error }: DecisionAnswer, context: Connected): void {
  if (approval !== undefined) return printDecided(approval, context)
  if (error === undefined) return
  const { code, message, issues = [] } = error
  showToolError(context.screen, new ToolError(code as ErrorCode, `${id}: ${message}`, { issues }))
}
