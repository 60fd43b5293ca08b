import { checkComposition } from './compositions/check-composition.ts'
import { deriveComposition } from './compositions/derive-composition.ts'
import { compositionSpec, type CompositionSpec, type CompositionStep } from './compositions/spec.ts'
import { toCompositionBehaviour } from './compositions/to-composition-behaviour.ts'
import { isTool, toTool } from './define-tool.ts'
import { type CallableTool, nameOfTool } from './kernel/callable-tool.ts'
import type { Effect, Tool, ToolContract } from './kernel/tool.ts'
import type { SchemaLike } from './schema/schema-like.ts'
import { invalidTool, toFieldIssues } from './schema/tool-definition.ts'
import { toInputParser } from './schema/to-parser.ts'
import type { KnownTools } from './sources/known-tools.ts'
import { convert } from './tool-contract.ts'
import type { DefinedTool, NoSchema } from './typing/tool-definition.ts'
import type { ToolFactsInput } from './typing/tool-facts.ts'

/** A step of a composition in code: its tool by name, or what `defineTool` returned. */
export type StepDefinition = Omit<CompositionStep, 'tool'> & { tool: string | CallableTool }

/** A tool whose work is calls of other tools. */
export type CompositionDefinition<Input extends SchemaLike, Output extends SchemaLike> = Omit<
  ToolFactsInput,
  'effect' | 'execution' | 'isolation' | 'retries' | 'labels'
> &
  Pick<CompositionSpec, 'output' | 'deadlineMs'> & {
    /**
     * The highest effect of its steps. Follows from the steps if they are tools rather than names.
     */
    effect?: Effect
    /** The input, as an object. Steps read it as `{{input.name}}`. */
    inputSchema: Input
    /** The output. Validated after the last step. */
    outputSchema?: Output
    /** In order, unless a step lists in `after` the steps it waits for. */
    steps: readonly StepDefinition[]
  }

/**
 * Defines a tool that puts others together: each step is a call of its own, under the same policy.
 * It waits for people and outside workers without running, and continues after a crash. Throws
 * `invalid_tool` or `invalid_schema`.
 */
export function defineComposition<Input extends SchemaLike, Output extends SchemaLike = NoSchema>(
  definition: CompositionDefinition<Input, Output>,
): DefinedTool<Input, Output>
export function defineComposition(definition: CompositionDefinition<SchemaLike, SchemaLike>): Tool {
  const { steps, output, deadlineMs, inputSchema, outputSchema, effect, ...facts } = definition
  const { name } = facts
  const spec = readSpec(name, { steps, output, deadlineMs })
  const input = convert(name, 'inputSchema', inputSchema) ?? { type: 'object' }
  const result = convert(name, 'outputSchema', outputSchema)
  const known = knownOf(steps)
  const findings = checkComposition(spec, { inputSchema: input, known, name, isOpen: true })
  const wrong = findings.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw invalidTool(name, wrong)
  const derived = deriveComposition(spec, known)
  return toTool(
    {
      ...facts,
      effect: effectOf(name, { spec, known, declared: effect, derived: derived.effect }),
      openWorld: facts.openWorld ?? (derived.openWorld || undefined),
      source: 'code',
      inputSchema: input,
      ...(result && { outputSchema: result }),
    },
    { ...toCompositionBehaviour(spec), parseInput: toInputParser(inputSchema, input) },
  )
}

function readSpec(
  name: string,
  {
    steps,
    ...more
  }: Pick<CompositionDefinition<SchemaLike, SchemaLike>, 'steps' | 'output' | 'deadlineMs'>,
): CompositionSpec {
  const named = steps.map((step) => ({ ...step, tool: nameOfTool(step.tool) }))
  const read = compositionSpec.safeParse({ kind: 'composition', steps: named, ...more })
  if (read.success) return read.data
  throw invalidTool(name, toFieldIssues(read.error))
}

/** The tools that the steps hold; nobody knows those they name until they are registered. */
function knownOf(steps: readonly StepDefinition[]): KnownTools {
  const contracts = new Map<string, ToolContract>()
  for (const { tool } of steps) {
    if (isTool(tool)) contracts.set(tool.contract.name, tool.contract)
  }
  return { find: (name) => contracts.get(name), names: () => [...contracts.keys()] }
}

const ranks: readonly Effect[] = ['read', 'write', 'destructive']

function effectOf(
  name: string,
  {
    spec,
    known,
    declared,
    derived,
  }: { spec: CompositionSpec; known: KnownTools; declared: Effect | undefined; derived: Effect },
): Effect {
  const [unknown] = spec.steps.filter(({ tool }) => known.find(tool) === undefined)
  if (declared === undefined && unknown !== undefined) {
    const message = `is missing: step ${unknown.id} names its tool, so its effect is not known here`
    throw invalidTool(name, [{ path: '/effect', message }])
  }
  if (declared === undefined || ranks.indexOf(declared) < ranks.indexOf(derived)) return derived
  return declared
}
