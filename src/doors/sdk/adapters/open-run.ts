import { createId } from '../../../core/kernel/ids.ts'
import type { OfferedTool, ToolOffer } from '../../../core/offer/tool-offer.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { toCallError } from '../../../core/pipeline/record/call-error.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { type MeantCall, toUnknown } from '../meant-call.ts'
import { isMetaTool } from '../../../core/kernel/meta-tools.ts'
import { checkToolInput } from '../schemas/check-input.ts'
import {
  createToolRun,
  type ModelCall,
  type Outcome,
  type ToolRun,
  type ToolRunOptions,
} from '../tool-run.ts'

/** How tools are made for an SDK. */
export interface AdapterOptions extends Partial<Omit<ToolRunOptions, 'runId'>> {
  /**
   * Tool call ids are unique within it: a conversation, or one turn. Give the same one when a
   * conversation goes on. Without it, one is made up.
   */
  runId?: string
  /** Let the provider keep the model to the schema, for tools that lose nothing by it. */
  strict?: boolean
}

/** A tool call as a provider words it: what the model sent may be no JSON, and name no tool. */
export interface WiredCall {
  name: string
  toolCallId: string
  /** JSON text, or what was made of it. */
  input: unknown
  signal?: AbortSignal | undefined
  isApproved?: boolean
}

/** What came of the tool calls of one answer of a model. */
export interface Ran<Item> {
  /** What the model is to be told, in the order of its calls. */
  items: Item[]
  /**
   * Calls that wait for a person. While there are any, do not go on: ask again with the same answer
   * of the model later. What has run is not run again.
   */
  waiting: { toolCallId: string; tool: string; callId: string; approvalId: string }[]
}

export interface OpenRun {
  /** What is offered, as far as the run knows. */
  readonly offer: ToolOffer
  readonly run: ToolRun
  readonly runId: string
  /** Takes every tool that is offered, and later each that a search has found. Once each. */
  each(take: (tool: OfferedTool) => void): void
  /** Looks what a search has found meanwhile. Does nothing where all tools are listed. */
  refresh(): Promise<void>
  /** Makes the call, whatever the model sent. Never rejects. */
  call(call: WiredCall): Promise<Outcome>
  /** How a call stands that a person has to be asked about; undefined where nobody has to be. */
  ask(call: WiredCall): Promise<Outcome | undefined>
  /** The same, after what was said about it was passed on. */
  answer(
    call: WiredCall,
    said?: { approved: boolean; reason?: string },
  ): Promise<Outcome | undefined>
  /** What people are to be told that a call is about: behind `tools_call`, the tool that it names. */
  meant(call: WiredCall): Promise<MeantCall>
}

const defaultWaitMs = 60_000

/** A run of a model whose SDK knows nothing of us. */
export async function openRun(port: ToolPort, options: AdapterOptions): Promise<OpenRun> {
  let offer = await port.offer()
  const runId = options.runId ?? createId('run')
  const run = createToolRun(port, { ...options, runId, waitMs: options.waitMs ?? defaultWaitMs })
  let hasSearched = false
  const taken = createTaken()
  taken.add(offer)
  const refresh = async () => {
    if (offer.mode !== 'search') return
    const isAnew = hasSearched
    hasSearched = false
    try {
      offer = await port.offer({ isAnew })
      taken.add(offer)
    } catch {
      // What can't be looked at stays as it was; the next call looks again.
      hasSearched ||= isAnew
    }
  }
  // What the model was told a name means, it means, whatever has it by now; and what was found while
  // the run went on is called by its name, too.
  const find = async (name: string) => {
    const known = taken.find(name) ?? offer.find(name)
    const tool = known ?? (offer.mode === 'search' ? await port.findTool(name) : undefined)
    return tool?.wireName === name ? tool : undefined
  }
  return {
    get offer() {
      return offer
    },
    run,
    runId,
    each: taken.each,
    refresh,
    async call(wired) {
      const outcome = await read(find, wired, async (call) => {
        const made = await run.run(call)
        // Not before: a call beside it may look meanwhile.
        hasSearched ||= isMetaTool(call.tool.name)
        return made
      })
      await refresh()
      return outcome
    },
    ask: (wired) => read(find, wired, run.ask, undefined),
    answer: async (wired, said) => {
      const tool = await find(wired.name).catch(() => undefined)
      if (tool === undefined) return run.answer({ ...wired, tool }, said)
      return read(find, wired, (call) => run.answer(call, said), undefined)
    },
    async meant({ name, input }) {
      const tool = await find(name).catch(() => undefined)
      if (tool === undefined) return toUnknown(name, input)
      return run.meant({ tool, input: readLoosely(tool, input) })
    },
  }
}

type FindTool = (wireName: string) => Promise<OfferedTool | undefined>

/** Tools by wire name, in the order in which they came: what a model knows stays where it is. */
function createTaken() {
  const tools = new Map<string, OfferedTool>()
  const takers: ((tool: OfferedTool) => void)[] = []
  return {
    find: (wireName: string) => tools.get(wireName),
    add(offer: ToolOffer) {
      for (const tool of offer.tools) {
        const before = tools.get(tool.wireName)
        if (before === undefined || before.name === tool.name) tools.set(tool.wireName, tool)
        if (before === undefined) for (const take of takers) take(tool)
      }
    },
    each(take: (tool: OfferedTool) => void) {
      takers.push(take)
      for (const tool of tools.values()) take(tool)
    },
  }
}

/** What could not be read is a failure, or whatever `otherwise` says. */
async function read<T>(
  find: FindTool,
  wired: WiredCall,
  ...[go, ...otherwise]: [(call: ModelCall) => Promise<Outcome | T>, ...T[]]
): Promise<Outcome | T> {
  try {
    const tool = (await find(wired.name)) ?? notFound(wired.name)
    const { toolCallId, signal, isApproved } = wired
    const input = readInput(tool, wired.input)
    return await go({ tool, toolCallId, input, signal, ...(isApproved === true && { isApproved }) })
  } catch (error) {
    if (otherwise.length > 0) return otherwise[0] as T
    const known = isToolError(error)
      ? error
      : new ToolError('internal', 'The call could not be made')
    return { kind: 'failed', error: toCallError(known), callId: undefined }
  }
}

function notFound(name: string): never {
  throw new ToolError('tool_not_found', `There is no tool ${JSON.stringify(name.slice(0, 100))}`)
}

function readLoosely(tool: OfferedTool, sent: unknown): unknown {
  try {
    return readInput(tool, sent)
  } catch {
    return sent
  }
}

function readInput(tool: OfferedTool, sent: unknown): unknown {
  const checked = checkToolInput(tool, typeof sent === 'string' ? parse(sent) : sent)
  if (checked.ok) return checked.value
  const { issues } = checked.error
  throw new ToolError('invalid_input', `The input does not match the schema of ${tool.wireName}`, {
    issues,
  })
}

function parse(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    throw new ToolError('invalid_input', 'The input is no JSON', {
      fix: 'Send one JSON object that fits the schema.',
    })
  }
}
