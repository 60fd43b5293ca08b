import type { CallContext } from './kernel/call.ts'
import type { ToolError } from './kernel/errors.ts'
import { type Issue } from './kernel/errors.ts'
import { findProbeIssues, type SecretProbes } from './kernel/secret-probe.ts'
import { findLostViews } from './schema/find-lost-views.ts'
import { findFormIssues } from './schema/form-issues.ts'
import { freezeJson } from './kernel/json/freeze-json.ts'
import { isRecord } from './kernel/json/json-type.ts'
import type { SchemaLike } from './schema/schema-like.ts'
import { foreignToolFacts, invalidTool, parseFacts } from './schema/tool-definition.ts'
import { toToolOptions } from './schema/tool-options.ts'
import { toJsonSchema } from './schema/to-json-schema.ts'
import { toInputParser, toJsonParser } from './schema/to-parser.ts'
import type {
  JsonSchema,
  JsonValue,
  Tool,
  ToolBehaviour,
  ToolContract,
  ToolIcon,
  ToolOrigin,
  ValueParser,
} from './kernel/tool.ts'
import type {
  CommonDefinition,
  CreateDefinition,
  DefinedTool,
  NoSchema,
  ToolDefinition,
} from './typing/tool-definition.ts'
import type { Execution, SecretDeclaration, ToolFactsInput } from './typing/tool-facts.ts'
import { convert, toContract } from './tool-contract.ts'
import { findWayIssues } from './tool-ways.ts'

/**
 * Defines a tool: checks every field and freezes the result. Throws `invalid_tool` or
 * `invalid_schema`.
 */
export function defineTool<
  Input extends SchemaLike,
  Output extends SchemaLike = NoSchema,
  const Secrets extends readonly SecretDeclaration[] = readonly [],
  const Env extends readonly string[] = readonly [],
  Options extends SchemaLike = NoSchema,
  Way extends Execution = 'inline',
>(
  definition: CommonDefinition<Secrets, Env, Options, Way> &
    (
      | ToolDefinition<Input, Output, Secrets, Env, Options, Way>
      | CreateDefinition<Input, Output, Secrets, Env, Options>
    ),
): DefinedTool<Input, Output>
export function defineTool(definition: object): Tool {
  if (!isRecord(definition))
    throw invalidTool(undefined, [{ path: '', message: 'must be an object' }])
  const {
    inputSchema,
    outputSchema,
    optionsSchema,
    execute,
    create,
    aggregate,
    checkSecrets,
    preview,
    undo,
    ...given
  } = definition as Partial<AnyDefinition>
  const facts = parseFacts(given)
  const options = toToolOptions(facts.name, optionsSchema)
  const { parseOptions } = options
  checkFunctions(facts.name, { inputSchema, execute, create, aggregate })
  const ways = { ...(preview !== undefined && { preview }), ...(undo !== undefined && { undo }) }
  const wrong = findWayIssues(ways, { facts, isDynamic: create !== undefined })
  if (wrong.length > 0) throw invalidTool(facts.name, wrong)
  if (facts.isolation === 'worker' && create !== undefined) throw notIsolated(facts.name)
  const contract = toContract(facts, {
    source: 'code',
    inputSchema: convert(facts.name, 'inputSchema', inputSchema) ?? openObject,
    outputSchema: convert(facts.name, 'outputSchema', outputSchema),
    optionsSchema: options.optionsSchema,
    ways,
  })
  const issues = findProbeIssues(
    checkSecrets,
    contract.secrets.map(({ key }) => key),
  )
  if (issues.length > 0) throw invalidTool(facts.name, issues)
  const parseInput = toInputParser(inputSchema ?? openObject, contract.inputSchema)
  if (create !== undefined) {
    return freezeTool({
      contract,
      parseInput,
      parseOptions,
      aggregate,
      checkSecrets,
      isDynamic: true,
      behaviour: toDynamic(facts.name, create),
    })
  }
  const behaviour = toBehaviour(contract, parseInput, execute as ToolBehaviour['execute'])
  return freezeTool({
    contract,
    parseInput,
    parseOptions,
    aggregate,
    checkSecrets,
    ...ways,
    isDynamic: false,
    behaviour: () => behaviour,
  })
}

/**
 * The facts of a tool from another source: namespaced names are allowed, schemas are JSON Schema.
 */
export interface ForeignFacts extends Omit<ToolFactsInput, 'labels'> {
  source: ToolOrigin
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  icons?: readonly ToolIcon[]
}

/** The behaviour of such a tool. The parsers are for sources that validate values themselves. */
export interface ForeignBehaviour {
  execute: ToolBehaviour['execute']
  parseInput?: ValueParser
  parseOutput?: ValueParser
  aggregate?: Tool['aggregate']
  preview?: Tool['preview']
  undo?: Tool['undo']
  /** It makes its calls as steps, with the third argument of `execute`, and can be resumed. */
  isResumable?: true
  deadlineMs?: number | undefined
  /** The steps of a composition. */
  steps?: Tool['steps']
}

/**
 * Creates a tool of an authored, gateway or agent source. Same checks, same result as `defineTool`.
 */
export function toTool(given: ForeignFacts, behaviour: ForeignBehaviour): Tool {
  const { source, inputSchema, outputSchema, icons = [], ...rest } = given
  const facts = parseFacts(rest, foreignToolFacts)
  const { aggregate, preview, undo } = behaviour
  const ways = { ...(preview !== undefined && { preview }), ...(undo !== undefined && { undo }) }
  const contract = toContract(facts, {
    source,
    inputSchema: convert(facts.name, 'inputSchema', inputSchema) ?? openObject,
    outputSchema: convert(facts.name, 'outputSchema', outputSchema),
    optionsSchema: undefined,
    ...(icons.length > 0 && { icons }),
    ways,
  })
  const { parseOptions } = toToolOptions(facts.name, undefined)
  const parseInput = behaviour.parseInput ?? toJsonParser(contract.inputSchema)
  const made = toBehaviour(contract, parseInput, behaviour.execute)
  const { parseOutput = made.parseOutput } = behaviour
  const running = Object.freeze({ ...made, parseOutput })
  const { isResumable, deadlineMs, steps } = behaviour
  const resuming = isResumable ? { isResumable, deadlineMs, ...(steps && { steps }) } : {}
  const parts = { contract, parseInput, parseOptions, aggregate, ...ways, ...resuming }
  return freezeTool({ ...parts, isDynamic: false, behaviour: () => running })
}

/** The same tool with some facts changed, checked again. Its schemas stay as they are. */
export function changeTool(
  tool: Tool,
  changes: Partial<Omit<ToolContract, 'name' | 'inputSchema' | 'outputSchema'>>,
): Tool {
  return freezeTool({ ...tool, contract: { ...tool.contract, ...changes } })
}

/** Enumerable on purpose: a copy with another contract is still a tool. */
const toolMark = Symbol.for('toolcrib.tool')

/** True for the result of `defineTool` and `toTool`, also from another copy of this module. */
export function isTool(value: unknown): value is Tool {
  return isRecord(value) && toolMark in value
}

interface AnyDefinition extends ToolFactsInput {
  inputSchema: SchemaLike
  outputSchema: SchemaLike
  execute: unknown
  create: (context: CallContext) => unknown
  optionsSchema: SchemaLike
  aggregate: Tool['aggregate']
  checkSecrets: SecretProbes
  preview: NonNullable<Tool['preview']>
  undo: NonNullable<Tool['undo']>
}

const openObject: JsonSchema = toJsonSchema({ type: 'object', additionalProperties: true }, 'input')

function notIsolated(name: string): ToolError {
  const message =
    'is worker, which needs execute: the function from create stays in the main thread'
  return invalidTool(name, [{ path: '/isolation', message }])
}

type Functions = Record<'inputSchema' | 'execute' | 'create' | 'aggregate', unknown>

function checkFunctions(name: string, parts: Functions): void {
  const { inputSchema, execute, create } = parts
  const hasExecute = execute !== undefined
  const hasCreate = create !== undefined
  const rules: [path: string, isWrong: boolean, message: string][] = [
    ['/execute', !hasExecute && !hasCreate, 'is missing; give the tool a function'],
    ['/create', hasExecute && hasCreate, 'cannot be combined with execute; keep one of them'],
    [
      '/inputSchema',
      inputSchema === undefined && !hasCreate,
      'is missing; without input, use z.object({})',
    ],
    ...(['execute', 'create', 'aggregate'] as const).map((field): [string, boolean, string] => [
      `/${field}`,
      parts[field] !== undefined && typeof parts[field] !== 'function',
      'must be a function',
    ]),
  ]
  const issues = rules
    .filter(([, isWrong]) => isWrong)
    .map(([path, , message]) => ({ path, message }))
  if (issues.length > 0) throw invalidTool(name, issues)
}

function toBehaviour(
  contract: ToolContract,
  parseInput: ValueParser,
  execute: ToolBehaviour['execute'],
): ToolBehaviour {
  const { outputSchema } = contract
  const parseOutput: ValueParser = outputSchema
    ? toJsonParser(outputSchema)
    : (value) => ({ ok: true, value })
  return Object.freeze({ parseInput, parseOutput, execute })
}

/**
 * Behaviour created per call. An invalid schema or a missing function fails that call, with the
 * tool's name.
 */
function toDynamic(name: string, create: AnyDefinition['create']): Tool['behaviour'] {
  return async (context) => {
    const made = (await create(context)) as Partial<AnyDefinition> | undefined
    checkFunctions(name, {
      inputSchema: made?.inputSchema,
      execute: made?.execute,
      create: undefined,
      aggregate: undefined,
    })
    const inputSchema = made?.inputSchema ?? openObject
    const input = convert(name, 'inputSchema', inputSchema) ?? openObject
    const outputSchema = convert(name, 'outputSchema', made?.outputSchema)
    const parseOutput: ValueParser = outputSchema
      ? toJsonParser(outputSchema)
      : (value) => ({ ok: true, value })
    const execute = made?.execute as ToolBehaviour['execute']
    const parseInput = toInputParser(inputSchema, input)
    return { parseInput, parseOutput, execute, inputSchema: input }
  }
}

/** Drops invalid examples, adds warnings, and freezes everything. */
function freezeTool(parts: Omit<Tool, 'warnings'>): Tool {
  const { contract } = parts
  const wrong = findFormIssues(contract.form, contract.inputSchema)
  if (wrong.length > 0) throw invalidTool(contract.name, wrong)
  const judged = contract.examples.map((example, index) => ({
    example,
    issues: findExampleIssues(example.input, `/examples/${index}`, parts.parseInput),
  }))
  const examples = judged.filter(({ issues }) => issues.length === 0).map(({ example }) => example)
  const warnings = [
    ...judged.flatMap(({ issues }) => issues),
    ...findLostSections(contract),
    ...findLostViews(contract.view, contract.outputSchema),
  ]
  const frozen = { contract: freezeJson({ ...contract, examples }), warnings: freezeJson(warnings) }
  return Object.freeze({ ...parts, ...frozen, [toolMark]: true })
}

function findExampleIssues(input: JsonValue, path: string, parse: ValueParser): Issue[] {
  const result = parse(input)
  if (result.ok) return []
  return result.issues.map((issue) => ({
    path: `${path}/input${issue.path}`,
    message: issue.message,
  }))
}

function findLostSections({ sections, outputSchema }: ToolContract): Issue[] {
  const properties = outputSchema?.['properties']
  if (!isRecord(properties)) return []
  return sections.flatMap(({ key, fields = {} }, index) => {
    const place = `/sections/${index}`
    const named = Object.entries(fields).map(([name, key]) => [`${place}/fields/${name}`, key])
    return [[`${place}/key`, key], ...named].flatMap(([path = '', key = '']) =>
      Object.hasOwn(properties, key)
        ? []
        : [{ path, message: `names ${key}, which is not in the output` }],
    )
  })
}
