import { isSettled } from '../../../core/call-state.ts'
import type { CallResult } from '../../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { Connection } from '../client/find-server.ts'
import type { ToolDetail } from '../../../core/tools/tool-listing.ts'
import { readTool } from '../client/read-tool.ts'
import type { Command, CommandContext, OptionSpecs, OptionValues } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { parseDuration } from '../parse-duration.ts'
import {
  givenTwice,
  isSingle,
  toOptionValues,
  usageError,
  type ValueMap,
} from '../parse-options.ts'
import { attendCall } from './attend-call.ts'
import { callLineOptions, connectionOptions } from './call-options.ts'
import { showCallHelp } from './call-help.ts'
import { type FlagValue, parseFlags } from './parse-flags.ts'
import { previewTool } from './preview-tool.ts'
import { readInput } from './read-input.ts'
import { type CallOrder, runCall } from './run-call.ts'
import { exitCodeOf, printArtifact, showResult } from './show-result.ts'
import { sendFiles } from './send-files.ts'
import { toInput } from './to-input.ts'
import { watchCall } from './watch-call.ts'

/** A `call` line, split at the tool's name. */
export interface CallLine {
  name: string
  /** Words after the name: the tool's flags, and options of ours among them. */
  after: readonly string[]
  /** Options before the name: always Toolcrib's. */
  certain: ValueMap
  /** Connection options after the name that are probably Toolcrib's. */
  hints: ValueMap
}

/**
 * `call <tool>`: reads the tool, builds its input from the flags, calls it and shows the result.
 */
export function callNamedTool(line: CallLine): Command['run'] {
  return async (context) => {
    const { screen } = context
    const connection = await context.connect()
    const agent = toOptionValues(line.certain).text('agent')
    const tool = await readTool(connection.client, line.name, agent)
    const { flags, own } = parseFlags(line.after, tool.inputSchema, callLineOptions)
    checkConnection(line, own)
    checkTenant(line, own)
    checkTwice(line, own)
    const options = toOptionValues(new Map([...line.certain, ...own]))
    if (options.flag('help')) {
      showCallHelp(screen, tool)
      return exit.ok
    }
    const { client } = connection
    const sent = await sendFiles(flags, { client, environment: context.environment })
    const order = await toOrder(context, { tool, flags: sent, options })
    if (options.flag('preview')) return previewTool(client, order, context)
    return carryOut({ ...context, options }, { order, tool, connection })
  }
}

/** Why an option after the tool's name does not count as Toolcrib's. */
const doubts: Readonly<Record<(typeof connectionOptions)[number], string>> = {
  url: 'no Toolcrib server answers there',
  data: 'there is no such folder',
  config: 'there is no such file',
  tools: 'there is no such folder',
  database: 'it is not a PostgreSQL URL',
}

/**
 * Only the server knows whether the option is an input of the tool, and it must know the tenant
 * first.
 */
function checkTenant({ name, certain }: CallLine, own: ValueMap): void {
  if (!own.has('tenant') || certain.has('tenant')) return
  throw usageError(
    "--tenant must be before the tool's name.",
    `Write toolcrib call --tenant ${String(own.get('tenant')?.at(-1))} ${name}`,
  )
}

/** If the connection was based on a wrong guess, the line is refused instead of half obeyed. */
function checkConnection({ name, certain, hints }: CallLine, own: ValueMap): void {
  for (const option of connectionOptions) {
    if (hints.has(option) && !own.has(option)) {
      throw usageError(
        `--${option} is an input of ${name} and also an option that names the server.`,
        `Write Toolcrib's before the tool's name, and the tool's after it, following --.`,
      )
    }
    if (own.has(option) && !hints.has(option) && !certain.has(option)) {
      throw usageError(
        `--${option} ${String(own.get(option)?.at(-1))} cannot be used here: ${doubts[option]}.`,
        `If it is correct, write it before the tool's name: toolcrib call --${option} … ${name}`,
      )
    }
  }
}

/**
 * The parts before and after the name are one line: a single option may be given in only one of
 * them.
 */
function checkTwice({ certain }: CallLine, own: ValueMap): void {
  const specs: OptionSpecs = callLineOptions
  const twice = [...own.keys()].find((name) => certain.has(name) && isSingle(specs[name]))
  if (twice !== undefined) throw givenTwice(`--${twice}`)
}

async function toOrder(
  { environment }: CommandContext,
  { tool, flags, options }: { tool: ToolDetail; flags: FlagValue[]; options: OptionValues },
): Promise<CallOrder> {
  const agent = options.text('agent')
  const skill = options.text('skill')
  const sessionId = options.text('session')
  const timeout = options.text('timeout')
  const idempotencyKey = options.text('idempotency-key')
  return {
    tool: tool.name,
    body: {
      input: toInput(await readInput(options.text('input'), environment), flags),
      ...(agent === undefined ? {} : { agent }),
      ...(skill === undefined ? {} : { skill }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(timeout === undefined ? {} : { timeoutMs: parseDuration('--timeout', timeout) }),
      ...toQueueing(options),
    },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    // A queued call has no output to stream yet.
    isAsync: options.flag('async') || Object.keys(toQueueing(options)).length > 0,
    isPatient: options.flag('watch'),
  }
}

const longestDelayMs = 365 * 86_400_000

function toQueueing(options: OptionValues): { priority?: number; delay?: number } {
  const [priority, delay] = [options.text('priority'), options.text('delay')]
  if (priority !== undefined && !/^-?\d{1,2}$/.test(priority)) {
    throw usageError(`--priority ${priority} is not a whole number.`, 'It goes from -10 to 10.')
  }
  if (priority !== undefined && Math.abs(Number(priority)) > 10) {
    throw usageError(`--priority ${priority} is out of range.`, 'It goes from -10 to 10.')
  }
  const delayMs = delay === undefined ? undefined : parseDuration('--delay', delay)
  if (delayMs !== undefined && delayMs > longestDelayMs) {
    throw usageError(`--delay ${delay} is too long: a call starts within 365d.`)
  }
  return {
    ...(priority === undefined ? {} : { priority: Number(priority) }),
    ...(delayMs === undefined ? {} : { delay: delayMs / 1000 }),
  }
}

async function carryOut(
  context: CommandContext,
  { order, tool, connection }: { order: CallOrder; tool: ToolDetail; connection: Connection },
): Promise<number> {
  const { screen, options } = context
  const { client } = connection
  if (connection.kind === 'local') refuseWithoutServer(order, tool)
  const attended = await attendCall(context, client, async (watcher): Promise<CallResult> => {
    // Without a server this process holds the store: nobody could decide while it waits.
    const isPatient = order.isPatient && connection.kind !== 'local'
    const result = await runCall(client, { ...order, isPatient }, watcher).catch(
      (error: unknown) => {
        throw toUnready(error, tool)
      },
    )
    const { callId, status } = result
    if (callId === undefined || isSettled(status) || !options.flag('watch')) return result
    // Nobody can approve while this process holds the store.
    if (status === 'waiting' && !isPatient) return result
    return watchCall(client, callId, watcher)
  })
  if ('exitCode' in attended) return attended.exitCode
  const { result } = attended
  const { artifact, callId } = result
  if (options.flag('full') && artifact !== undefined && callId !== undefined) {
    await printArtifact(client, { callId, artifact }, context)
  } else if (screen.isJson) screen.json(result)
  else {
    // The id alone on stdout, so that a script can keep it.
    if (order.isAsync && !options.flag('watch')) screen.out(result.callId ?? '')
    showResult(screen, result, tool.sections)
  }
  return exitCodeOf(result)
}

/** Work that continues after this process has left needs a running server. */
function refuseWithoutServer({ isAsync }: CallOrder, { name, execution }: ToolDetail): void {
  const fix = 'Run toolcrib dev or toolcrib start first.'
  if (isAsync) throw usageError('--async needs a running server that continues the call.', fix)
  if (execution === 'external') {
    throw usageError(
      `${name} is completed by an external worker, which needs a running server.`,
      fix,
    )
  }
}

/**
 * The tool could be read before, so if it is refused as missing, it is hidden for a known reason.
 */
function toUnready(error: unknown, { name, state, reason }: ToolDetail): unknown {
  if (!isToolError(error) || error.code !== 'tool_not_found' || state === 'ready') return error
  return new ToolError(error.code, `${name} is ${state}: ${reason ?? 'see explain'}`, {
    fix: `toolcrib explain --tool ${name} shows what would change it.`,
    cause: error,
  })
}
