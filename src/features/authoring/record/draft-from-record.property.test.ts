import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkComposition } from '../../../core/compositions/check-composition.ts'
import { type CompositionSpec, compositionSpec } from '../../../core/compositions/spec.ts'
import { stepReferences } from '../../../core/compositions/plan-of.ts'
import { toCompositionBehaviour } from '../../../core/compositions/to-composition-behaviour.ts'
import type { CallRecord } from '../../../core/kernel/call.ts'
import type { StepCall } from '../../../core/kernel/context/step-calls.ts'
import { toCanonicalText } from '../../../core/kernel/json/deep-equal.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { ToolContract } from '../../../core/kernel/tool.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import { variants } from '../../../../test/setup/run-length.ts'
import { draftFromRecord } from './draft-from-record.ts'

const [numRuns = 100] = variants([60], [3000])
const anything = { type: 'object', additionalProperties: true }
const known: KnownTools = {
  find: (name) =>
    ({
      effect: /send|refund/.test(name) ? 'write' : 'read',
      inputSchema: anything,
    }) as Partial<ToolContract> as ToolContract,
  names: () => [],
}

/** Values of all kinds, so that equal ones occur often, with texts that look like references. */
const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    false,
    0,
    1,
    '',
    'open',
    'EUR',
    42,
    '{{',
    '{{input.a}}',
    '\\{{',
    '{',
    'a\\',
  ),
  fc.integer({ min: 1000, max: 1010 }),
  fc.integer({ min: 1, max: 6 }).map((n) => `item-${n}`),
  fc.string({ unit: fc.constantFrom('{', '}', '\\', 'a', '.', ' ', 'item-3') }),
)
const key = fc.oneof(
  fc.constantFrom('id', 'name', 'x y', 'a.b', '0', '{{k}}', 'to'),
  fc.string({ unit: 'binary' }),
)
const value = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 3 }) as fc.Arbitrary<JsonValue>,
  ),
})).json
const made = fc.record({
  tool: fc.constantFrom('a.find', 'b.find', 'c.send', 'd.refund'),
  input: fc.dictionary(key, value, { maxKeys: 3 }),
  output: value,
  /** Takes this part of what came before into its input. */
  takes: fc.array(fc.record({ step: fc.nat(20), as: fc.constantFrom('whole', 'text', 'part') }), {
    maxLength: 2,
  }),
  lasts: fc.integer({ min: 1, max: 6 }),
})

function partOf(output: JsonValue): JsonValue {
  return typeof output === 'object' && output !== null ? (Object.values(output)[0] ?? null) : output
}

/** Runs a composition for which the world answers as on record, and lists calls that are not on it. */
async function unknownCalls(
  spec: CompositionSpec,
  input: JsonValue,
  answers: ReadonlyMap<string, JsonValue>,
): Promise<unknown[]> {
  const unknown: unknown[] = []
  const steps = {
    requestedAt: 0,
    mayWait: false,
    async call({ tool, input: given }: StepCall) {
      const output = answers.get(toCanonicalText([tool, given]))
      if (output === undefined) unknown.push([tool, given])
      return { status: 'completed' as const, output: output ?? null }
    },
    idle: async () => undefined,
  }
  const context = { callId: 'call_1', agent: undefined, sessionId: undefined }
  await toCompositionBehaviour(spec).execute(input, context as never, steps as never)
  return unknown
}

/** The calls of a plan; where a tool was given the same before, it gives the same. */
function toCalls(plan: readonly Planned[], answers: Map<string, JsonValue>): CallRecord[] {
  return plan.map(({ tool, input, output, takes, lasts }, index): CallRecord => {
    const taken = takes.map(({ step, as }, place) => {
      const source = plan[step % Math.max(1, index)]?.output ?? null
      const part = as === 'part' ? partOf(source) : source
      const whole = as === 'text' ? `From ${typeof part === 'object' ? '' : part}: {` : part
      return [`take${place}`, index === 0 ? null : whole] as const
    })
    const asked = { ...input, ...Object.fromEntries(taken) }
    const question = toCanonicalText([tool, asked])
    const answer = answers.get(question) ?? output
    answers.set(question, answer)
    const time = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000).toISOString()
    return {
      callId: `call_${index}`,
      tenant: 'default',
      tool,
      input: asked,
      output: answer,
      status: 'completed',
      principal: { kind: 'user', id: 'ada' },
      runtime: 'api',
      attempt: 1,
      requestedAt: time(index * 2),
      settledAt: time(index * 2 + lasts),
    }
  })
}

type Planned = typeof made extends fc.Arbitrary<infer One> ? One : never

test('for any calls on record, the draft gives each step its recorded input', async () => {
  let references = 0
  const property = fc.asyncProperty(
    fc.array(made, { minLength: 1, maxLength: 8 }),
    fc.dictionary(key, value, { maxKeys: 3 }),
    async (plan, input) => {
      const answers = new Map<string, JsonValue>()
      const calls = toCalls(plan, answers)
      const said = 'item-1 and item-2'
      const about = { title: 'a run', recordedAt: '2026-11-19', said, answer: '' }
      const work = { ...about, calls, whole: { input, inputSchema: anything } }
      const { document, findings } = await draftFromRecord(work, { known, isTaken: () => false })
      const { spec, inputSchema } = document
      references += spec.steps.flatMap((step) => stepReferences(step)).length
      expect(compositionSpec.safeParse(spec).success).toBe(true)
      const wrong = checkComposition(spec, { inputSchema, known })
      // A text with braces that are not a reference is reported, and kept.
      const others = wrong.filter(({ message }) => !message.startsWith('has braces'))
      expect(others.filter(({ severity }) => severity === 'error')).toEqual([])
      expect(findings.filter(({ message }) => message.startsWith('keeps'))).toEqual([])
      expect(await unknownCalls(spec, document.examples?.[0]?.input ?? null, answers)).toEqual([])
    },
  )
  await fc.assert(property, { numRuns })
  expect(references).toBeGreaterThan(numRuns)
})
