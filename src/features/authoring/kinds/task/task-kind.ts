import { z } from 'zod'
import type { ForeignBehaviour } from '../../../../core/define-tool.ts'
import type { Finding } from '../../../../core/kernel/finding.ts'
import type { CallResult } from '../../../../core/kernel/call.ts'
import type { StepCalls } from '../../../../core/kernel/context/step-calls.ts'
import { ToolError } from '../../../../core/kernel/errors.ts'
import { toDurationMs } from '../../../../core/kernel/duration.ts'
import type { JsonSchema, JsonValue } from '../../../../core/kernel/json.ts'
import { isRecord } from '../../../../core/kernel/json/json-type.ts'
import { describeKnown } from '../../../../core/patterns/nearest-name.ts'
import { resolveReferences } from '../../../../core/shapes/resolve-references.ts'
import type { KnownTools } from '../../../../core/sources/known-tools.ts'
import type { ToolDocument } from '../../model/tool-document.ts'
import { checkReferences } from '../check-references.ts'
import type { DerivedFacts, SpecKind } from '../spec-kind.ts'

/** Work that an agent or people do. */
export interface TaskSpec {
  kind: 'task'
  /** `agent:<slug>`; or people: `requester`, `role:<name>`, `user:<id or email>`, several in a list. */
  to: string | string[]
  /** Holds references, such as `{{input.text}}`. Its first line is the title for people. */
  template: string
  /** `false`: the output is the id of the call, which continues by itself. Default: `true`. */
  wait?: boolean | undefined
  /** How long people have, such as `2d`. */
  dueIn?: string | undefined
}

/** A tool that gives a task to an agent or to people, and returns what comes back. */
export const taskKind: SpecKind<TaskSpec> = {
  kind: 'task',
  schema: z.strictObject({
    kind: z.literal('task'),
    to: z.union([addressee(), z.array(addressee()).min(1).max(20)], {
      error: 'must be agent:<slug>, requester, role:<name> or user:<id>, or a list of people',
    }),
    template: z.string().min(1).max(100_000),
    wait: z.boolean().optional(),
    dueIn: z
      .string()
      .refine((text) => toDurationMs(text) !== undefined, {
        error: 'must be a duration such as 2h or 3d',
      })
      .optional(),
  }),
  check: checkTask,
  derive: deriveTask,
  uses: ({ spec }) => [agentTool(spec) ?? askTool],
  toBehaviour,
}

function addressee() {
  return z
    .string()
    .max(200)
    .regex(/^(?:requester|(?:agent|role|user):\S+)$/)
}

const askTool = 'flow.ask'

/** The tool that an agent is; undefined for people. */
function agentTool({ to }: TaskSpec): string | undefined {
  return typeof to === 'string' && to.startsWith('agent:') ? to : undefined
}

function checkTask({ spec, inputSchema }: ToolDocument<TaskSpec>, known: KnownTools): Finding[] {
  return [
    ...checkReferences(spec.template, '/spec/template', { input: inputSchema }),
    ...checkAddressees(spec, known),
  ]
}

function checkAddressees(spec: TaskSpec, known: KnownTools): Finding[] {
  const severity = 'error'
  if (Array.isArray(spec.to)) {
    return spec.to.flatMap((one, index): Finding[] =>
      one.startsWith('agent:')
        ? [{ path: `/spec/to/${index}`, message: 'must be a person: agents work alone', severity }]
        : [],
    )
  }
  const tool = agentTool(spec)
  if (tool === undefined) return []
  const agents = known.names().filter((name) => name.startsWith('agent:'))
  const unknown: Finding = {
    path: '/spec/to',
    message: `names an agent that is not a tool; ${describeKnown(tool, agents)}`,
    fix: 'Give the agent a description, which makes it a tool.',
    severity: 'warning',
  }
  const late: Finding = {
    path: '/spec/dueIn',
    message: 'has no effect for an agent',
    severity: 'warning',
  }
  return [
    ...(known.find(tool) === undefined ? [unknown] : []),
    ...(spec.dueIn === undefined ? [] : [late]),
  ]
}

const textSchema: JsonSchema = { type: 'string' }
const startedSchema: JsonSchema = {
  type: 'object',
  properties: { callId: { type: 'string' } },
  required: ['callId'],
  additionalProperties: false,
}

function deriveTask(
  { spec, outputSchema }: ToolDocument<TaskSpec>,
  known: KnownTools,
): DerivedFacts {
  const called = known.find(agentTool(spec) ?? askTool)
  const usual = spec.wait === false ? startedSchema : textSchema
  return {
    effect: called?.effect ?? 'write',
    openWorld: called?.openWorld === true,
    ...(outputSchema === undefined && { outputSchema: usual }),
  }
}

/** A task waits: for the turn of an agent, or for people. */
const stepKey = 'task'

function toBehaviour({ spec, outputSchema }: ToolDocument<TaskSpec>): ForeignBehaviour {
  return {
    isResumable: true,
    preview: 'calls',
    async execute(input, _ctx, steps) {
      if (steps === undefined) throw new ToolError('internal', 'A task needs the steps of its call')
      const value = resolveReferences(spec.template, { input }) ?? ''
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const tool = agentTool(spec)
      const step =
        tool === undefined
          ? { key: stepKey, tool: askTool, input: toQuestion(spec, text, outputSchema) }
          : { key: stepKey, tool, input: { message: toMessage(text, outputSchema) } }
      if (spec.wait === false) return startTask(step, steps)
      const { output } = completed(await steps.call(step))
      return tool === undefined && outputSchema !== undefined
        ? output
        : toAnswer(output, outputSchema)
    },
  }
}

async function startTask(
  step: Parameters<StepCalls['start']>[0],
  steps: StepCalls,
): Promise<JsonValue> {
  const { callId, status, error } = await steps.start(step)
  if (callId !== undefined && error === undefined) return { callId }
  throw toTaskError({ status, ...(error && { error }) })
}

const maxTitleChars = 200

function toQuestion(
  { to, dueIn }: TaskSpec,
  text: string,
  schema: JsonSchema | undefined,
): { [key: string]: JsonValue } {
  const [title = '', ...rest] = text.trim().split('\n')
  const isLong = title.length > maxTitleChars
  const background = (isLong ? text : rest.join('\n')).trim()
  return {
    title: (isLong ? `${title.slice(0, maxTitleChars)}…` : title) || 'A task',
    text: background === '' ? null : background.slice(0, 20_000),
    schema: (schema ?? null) as JsonValue,
    form: null,
    to: typeof to === 'string' ? [to] : to,
    expiresIn: dueIn ?? null,
    remindEvery: null,
    onExpiry: null,
  }
}

/** Agents answer in text, so the order for JSON is part of the task. */
function toMessage(text: string, schema: JsonSchema | undefined): string {
  if (schema === undefined) return text
  return `${text}\n\nEnd with JSON only, without other text, that matches this JSON Schema:\n${JSON.stringify(schema)}`
}

function completed(result: CallResult): CallResult {
  if (result.status === 'completed') return result
  throw toTaskError(result)
}

function toTaskError({ status, error }: CallResult): ToolError {
  if (error === undefined) return new ToolError('tool_failed', `The task is ${status}`)
  const { code, message, ...more } = error
  return new ToolError(code, `The task failed: ${message}`, more)
}

/** The output schema of the tool judges the value. */
function toAnswer(output: JsonValue | undefined, schema: JsonSchema | undefined): JsonValue {
  const answer = isRecord(output) ? output['answer'] : output
  if (schema === undefined || typeof answer !== 'string') return answer ?? null
  const json = /```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(answer)?.[1] ?? answer
  try {
    return JSON.parse(json) as JsonValue
  } catch {
    return answer
  }
}
