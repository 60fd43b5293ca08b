import type { CallRecord } from '../kernel/call.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { pointerStep } from '../kernel/json/json-pointer.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ToolTest } from '../kernel/trial/tool-test.ts'
import { isRedacted } from '../secrets/is-redacted.ts'
import { generalise } from './generalise.ts'

/** A test made of a recorded call. */
export interface RecordedTest {
  test: ToolTest
  /** Places of the input whose values were secret: they are left out, and have to be filled in. */
  missing: string[]
}

/** Any call of a nested tool, as far as a test needs it. */
type NestedCall = Pick<CallRecord, 'tool' | 'status' | 'output' | 'purpose' | 'undoes'>

/**
 * A test of the same input: its output generalised by type, and the outputs of the nested calls that
 * had an effect given. Secrets are not kept.
 */
export function toTest(call: CallRecord, effects: readonly NestedCall[]): RecordedTest {
  const { value: input, missing } = withoutSecrets(call.input)
  const given = toGiven(effects)
  const label = `As recorded on ${call.requestedAt.slice(0, 10)}`
  const test: ToolTest = { label, input, expect: toExpectation(call) }
  if (Object.keys(given).length > 0) test.given = given
  return { test, missing }
}

/** The input of a recorded call, for an example. */
export function withoutSecrets(value: JsonValue): { value: JsonValue; missing: string[] } {
  const missing: string[] = []
  const visit = (inner: JsonValue, path: string): JsonValue | undefined => {
    if (typeof inner === 'string' && isRedacted(inner)) {
      missing.push(path)
      return undefined
    }
    if (Array.isArray(inner)) {
      return inner.map((item, index) => visit(item, pointerStep(path, index)) ?? null)
    }
    if (!isRecord(inner)) return inner
    const kept = Object.entries(inner).flatMap(([key, member]) => {
      const clean = visit(member, pointerStep(path, key))
      return clean === undefined ? [] : [[key, clean] as const]
    })
    return Object.fromEntries(kept)
  }
  return { value: visit(value, '') ?? null, missing }
}

function toExpectation({ status, error, output, artifact }: CallRecord): ToolTest['expect'] {
  if (error !== undefined) {
    const ended = status === 'denied' ? { status } : {}
    return { ...ended, error: error.code }
  }
  // Of an output that was cut, only the beginning is known.
  return output === undefined || artifact !== undefined ? {} : { output: generalise(output) }
}

function toGiven(effects: readonly NestedCall[]): Record<string, JsonValue> {
  const done = effects.filter(({ status, purpose }) => status === 'completed' && !purpose)
  return Object.fromEntries(
    done.map(({ tool, output = null }) => [tool, isRedacted(output) ? null : output]),
  )
}
