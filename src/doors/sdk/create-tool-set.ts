import type { ModelMessage, Tool, ToolApprovalStatus, ToolSet } from 'ai'
import type { SchemaFlavour } from '../../core/models/provider-apis.ts'
import { createId } from '../../core/kernel/ids.ts'
import { type HeldNames, holdNames } from '../../core/offer/hold-names.ts'
import type { OfferedTool, ToolOffer } from '../../core/offer/tool-offer.ts'
import { isMetaTool } from '../../core/kernel/meta-tools.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import { approvalStatus, type AskedCall } from './approval-status.ts'
import { compileTool, type ToolDress } from './compile-tool.ts'
import { type CacheControl, withCacheControl } from './cache-control.ts'
import { createExecute } from './create-execute.ts'
import { type Resumed, resumeHistory } from './resume-history.ts'
import { flavourOf, type ModelLike } from './flavour-of.ts'
import { mediaShownTo } from './media-shown.ts'
import { chooseStrict } from './schemas/choose-strict.ts'
import { isStrictByDefault } from './schemas/to-provider-schema.ts'
import { createToolRun, type SdkRun, type ToolRunOptions } from './tool-run.ts'

/** How a set of tools is made for one run of a model. */
export interface ToolSetOptions extends Partial<Omit<ToolRunOptions, 'runId'>> {
  /**
   * Tool call ids are unique within it: a conversation, or one turn. Pass the same one when a
   * conversation continues after an approval. By default one is generated for this set.
   */
  runId?: string
  /** The model that gets the tools, or its provider: schemas are written as that provider takes them. */
  model?: ModelLike
  /** The dialect of schemas, where the model does not say it. */
  provider?: SchemaFlavour
  /** Let the provider keep the model to the schema, for tools that lose nothing by it (true for OpenAI). */
  strict?: boolean
  /** Yields of a tool become preliminary results (false: only the final result is sent). */
  partialOutput?: boolean
  /**
   * The names that this conversation has used, from `wireNames` of the set before: they stay with
   * their tools, whatever tools have come since.
   */
  wireNames?: HeldNames
  /** Marks the last tool for Anthropic's prompt cache, so that the whole list is cached. */
  cacheControl?: boolean | CacheControl
}

/** A crib's tools for `generateText`, `streamText` and agents of the AI SDK. */
export interface CribToolSet {
  /** By wire name, sorted by canonical name. */
  readonly tools: ToolSet
  /** Give it along with the tools: it stores what a person has to decide. Knows no other tools. */
  toolApproval(question: { toolCall: AskedCall }): Promise<ToolApprovalStatus>
  /**
   * For an agent that searches for its tools, give it along: what was found in this conversation
   * joins the tools before the next step. Otherwise it does nothing.
   */
  prepareStep(): Promise<Record<string, never>>
  /** The run that tool call ids belong to. */
  readonly runId: string
  /**
   * Corrects a stored or received history before it goes to the model again: it keeps only answers
   * that the crib has. While `waiting` is not empty, do not continue.
   */
  resume(messages: readonly ModelMessage[]): Promise<Resumed>
  /** The tools on offer, as far as the set knows. */
  readonly offer: ToolOffer
  /** Wire names and the tools they stand for: keep it with a stored conversation, for its next set. */
  readonly wireNames: HeldNames
}

const defaultWaitMs = 60_000

/** The tools of a crib for the AI SDK. Their calls go through policy, limits and record. */
export async function createToolSet(
  port: ToolPort,
  options: ToolSetOptions = {},
): Promise<CribToolSet> {
  const runId = options.runId ?? createId('run')
  const made = createToolRun(port, {
    ...options,
    runId,
    waitMs: options.waitMs ?? defaultWaitMs,
  })
  let hasSearched = false
  const run = hearSearches(made, () => (hasSearched = true))
  const flavour = options.provider ?? flavourOf(options.model)
  const toExecute = createExecute(run, options.partialOutput === true)
  const tools: Record<string, Tool> = {}
  const known = new Map<string, OfferedTool>()
  const wireNames = () => ({ ...options.wireNames, ...toNames(known) })
  let offer = holdNames(await port.offer(), wireNames())
  const media = mediaShownTo(options.model)
  const isStrict = decideStrict(offer, {
    flavour,
    strict: options.strict ?? isStrictByDefault(flavour),
  })
  const join = ({ tools: offered }: ToolOffer) => {
    for (const tool of offered) {
      const before = known.get(tool.wireName)
      if (before === undefined || before.name === tool.name) known.set(tool.wireName, tool)
      // A name keeps the meaning it had for the model, whatever tool has it now: the model's prompt
      // cache contains it.
      if (before !== undefined) continue
      const dress = { flavour, strict: isStrict(tool), media }
      tools[tool.wireName] = { ...compileTool(tool, dress), execute: toExecute(tool) } as Tool
    }
  }
  join(offer)
  if (options.cacheControl) withCacheControl(tools, lastOf(offer.tools), options.cacheControl)
  return {
    tools,
    get offer() {
      return offer
    },
    get wireNames() {
      return wireNames()
    },
    runId,
    async prepareStep() {
      if (offer.mode !== 'search') return {}
      const isAnew = hasSearched
      hasSearched = false
      try {
        join((offer = holdNames(await port.offer({ isAnew }), wireNames())))
      } catch {
        // Thrown on, it would end the turn. The tools stay as they are; the next step looks again.
        hasSearched ||= isAnew
      }
      return {}
    },
    toolApproval: ({ toolCall }) => approvalStatus(run, known.get(toolCall.toolName), toolCall),
    resume: (messages) =>
      resumeHistory(messages, { run, port, media, known: (name) => known.get(name) }),
  }
}

/** Reports calls that may have found further tools. */
function hearSearches(made: SdkRun, onSearch: () => void): SdkRun {
  return {
    ...made,
    async run(call) {
      const outcome = await made.run(call)
      if (isMetaTool(call.tool.name)) onSearch()
      return outcome
    },
  }
}

function toNames(known: ReadonlyMap<string, OfferedTool>): HeldNames {
  return Object.fromEntries([...known].map(([wire, { name }]) => [wire, name]))
}

/** Anthropic takes a few strict tools together and no more: what is found later is sent without. */
function decideStrict(
  { tools }: ToolOffer,
  { flavour, strict }: Omit<ToolDress, 'media'>,
): (tool: OfferedTool) => boolean {
  if (!strict || flavour !== 'anthropic') return () => strict
  const chosen = chooseStrict(tools)
  return (tool) => chosen.has(tool)
}

function lastOf(tools: readonly OfferedTool[]): string | undefined {
  return tools.at(-1)?.wireName
}
