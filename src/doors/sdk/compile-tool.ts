import { jsonSchema, type Tool } from 'ai'
import type { ToolOrigin } from '../../core/kernel/tool.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { callToolTool } from '../../core/kernel/meta-tools.ts'
import type { OutputMedia, SchemaFlavour } from '../../core/models/provider-apis.ts'
import { checkToolInput } from './schemas/check-input.ts'
import { toProviderSchema } from './schemas/to-provider-schema.ts'
import { toModelOutput } from './tool-output.ts'
import { toolVersion } from './tool-version.ts'

/** How a tool is shown to a provider's models. */
export interface ToolDress {
  flavour: SchemaFlavour
  /** Strict decoding, for tools that lose nothing by it. */
  strict: boolean
  /** Which files of its output are shown to the model. */
  media: OutputMedia
}

/** All of an AI SDK tool but the function that runs it: the same for every run. */
export type CompiledTool = Omit<Tool<unknown, unknown>, 'execute'>

const kept = new WeakMap<OfferedTool, Map<string, CompiledTool>>()

/** A tool in the SDK's form, made once per provider and kept with the offer. */
export function compileTool(tool: OfferedTool, dress: ToolDress): CompiledTool {
  const key = `${dress.flavour}${dress.strict}${dress.media}`
  const known = kept.get(tool)?.get(key)
  if (known) return known
  const made = compile(tool, dress)
  const all = kept.get(tool) ?? new Map<string, CompiledTool>()
  kept.set(tool, all.set(key, made))
  return made
}

function compile(tool: OfferedTool, { flavour, strict, media }: ToolDress): CompiledTool {
  const provided = toProviderSchema(tool.inputSchema, flavour, strict)
  const compiled: CompiledTool = {
    description: tool.description,
    // Wrapped once: in every step the SDK wraps anything that is not a schema of its own.
    inputSchema: jsonSchema(() => provided.schema, { validate: (value) => validate(tool, value) }),
    metadata: toMetadata(tool),
    toModelOutput: (told) => toModelOutput(told, media),
  }
  if (provided.isStrict) compiled.strict = true
  if (tool.examples.length > 0) {
    compiled.inputExamples = tool.examples.map(({ input }) => ({ input }))
  }
  return compiled
}

type ToolMetadata = {
  name: string
  source: ToolOrigin
  effect?: string
  version: string
}

/** The version is made when somebody looks: of a thousand tools, a turn calls a few. */
function toMetadata(tool: OfferedTool): ToolMetadata {
  const { name, source, effect } = tool
  return {
    name,
    source,
    // A call through it has the effect of the tool that it names.
    ...(name !== callToolTool && { effect }),
    get version() {
      return toolVersion(tool)
    },
  }
}

function validate(tool: OfferedTool, value: unknown) {
  const checked = checkToolInput(tool, value)
  return checked.ok
    ? { success: true as const, value: checked.value }
    : { success: false as const, error: checked.error }
}
