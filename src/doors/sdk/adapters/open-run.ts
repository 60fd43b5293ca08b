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
  type SdkRun,
  type ToolRunOptions,
} from '../tool-run.ts'

/** How tools are made for an SDK. */
export interface AdapterOptions extends Partial<Omit<ToolRunOptions, 'runId'>> {
  /**
   * Tool call ids are unique within it: a conversation, or one turn. Pass the same one when a
   * conversation continues. By default one is generated.
   */
  runId?: string
  /** Let the provider keep the model to the schema, for tools that lose nothing by it. */
  strict?: boolean
}

/**
 * A tool call in a provider's form: the model's input may be invalid JSON, and the tool may not
 * exist.
 */
export interface WiredCall {
  name: string
  toolCallId: string
  /** JSON text, or what was made of it. */
  input: unknown
  signal?: AbortSignal | undefined
  isApproved?: boolean
}

/** The results of the tool calls in one answer of a model. */
export interface Ran<Item> {
  /** The messages for the model, in the order of its calls. */
  items: Item[]
  /**
   * Calls that wait for a person. While there are any, do not continue: run the same answer of the
   * model again later. Finished calls are not repeated.
   */
  waiting: { toolCallId: string; tool: string; callId: string; approvalId: string }[]
}

export interface OpenRun {
  /** The tools on offer, as far as the run knows. */
  readonly offer: ToolOffer
  readonly run: SdkRun
  readonly runId: string
  /** Takes every tool that is offered, and later each that a search has found. Once each. */
  each(take: (tool: OfferedTool) => void): void
  /** Fetches the tools that a search has found since. Does nothing if all tools are listed. */
  refresh(): Promise<void>
  /** Makes the call, whatever the model sent. Never rejects. */
  call(call: WiredCall): Promise<Outcome>
  /** The state of a call that needs a person's decision; undefined if it needs none. */
  ask(call: WiredCall): Promise<Outcome | undefined>
  /** The same, after passing on a decision. */
  answer(
    call: WiredCall,
    said?: { approved: boolean; reason?: string },
  ): Promise<Outcome | undefined>
  /** The tool and input to show people: behind `tools_call`, the tool that it names. */
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
      // If the offer cannot be read it stays as it was; the next call tries again.
      hasSearched ||= isAnew
    }
  }
  // A name keeps the meaning it had for the model, whatever tool has it now; tools found during the
  // run get their own names too.
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
        // Not earlier: a concurrent call may still read it.
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

/** Unreadable input counts as a failure, or as `otherwise` decides. */
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
    throw new ToolError('invalid_input', 'The input is not valid JSON', {
      fix: 'Send one JSON object that fits the schema.',
    })
  }
}
