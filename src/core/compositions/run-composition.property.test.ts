import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallContext, CallResult } from '../kernel/call.ts'
import type { StepCall, StepCalls } from '../kernel/context/step-calls.ts'
import { ToolError } from '../kernel/errors.ts'
import type { JsonValue } from '../kernel/json.ts'
import { variants } from '../../../test/setup/run-length.ts'
import { answer, type PlayedComposition, playThrough } from './composition-model.fixture.ts'
import { planOf } from './plan-of.ts'
import type { CompositionSpec, CompositionStep } from './spec.ts'
import { toCompositionBehaviour } from './to-composition-behaviour.ts'

const [numRuns = 100] = variants([400], [20_000])

/** Specs whose references all lead to steps of before. */
const tools = ['now.ok', 'slow.ok', 'wait.ok', 'wait.ok', 'slow.flaky', 'wait.flaky']
const failing = ['now.fails', 'wait.fails', 'wait.denied']
const specs: fc.Arbitrary<CompositionSpec> = fc
  .integer({ min: 1, max: 7 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => stepAt(index))))
  .chain((steps) => {
    // When every step has `after`, their order in the list does not matter.
    const isFree = steps.every(({ after }) => after !== undefined)
    return isFree ? fc.shuffledSubarray(steps, { minLength: steps.length }) : fc.constant(steps)
  })
  .map((steps) => ({
    kind: 'composition',
    steps,
    output: Object.fromEntries(steps.map(({ id }) => [id, `{{steps.${id}}}`])),
  }))

function stepAt(index: number): fc.Arbitrary<CompositionStep> {
  const before = Array.from({ length: index }, (_, at) => `s${at}`)
  const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 3 })
  const reference = (field: string) =>
    index === 0
      ? fc.constant('{{input}}')
      : fc.constantFrom(...before).map((id) => `{{steps.${id}.${field}}}`)
  const earlier = index === 0 ? fc.constant('s0') : fc.constantFrom(...before)
  const whens = fc.oneof(
    fc.record({
      field: earlier.map((id) => `steps.${id}.output.n`),
      operator: fc.constant('gte' as const),
      value: fc.nat(3),
    }),
    fc.record({
      field: earlier.map((id) => `steps.${id}.status`),
      operator: fc.constant('eq' as const),
      value: fc.constantFrom('skipped', 'failed', 'completed'),
    }),
  )
  const rules = fc.oneof(
    fc.constantFrom<CompositionStep['onError']>('continue', 'fail'),
    fc.record({ output: fc.record({ n: fc.nat(3), of: reference('status') }) }),
  )
  const lists = fc.oneof(
    fc.array(fc.nat(9), { maxLength: 4 }),
    reference('output.list'),
    reference('output'),
  )
  return fc
    .record({
      id: fc.constant(`s${index}`),
      tool: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...tools) },
        { weight: 1, arbitrary: fc.constantFrom(...failing) },
      ),
      input: fc.record({ a: reference('output.n'), b: fc.constantFrom('{{item}}', 'x') }),
      when: index === 0 ? fc.constant(undefined) : some(whens),
      each: index === 0 ? fc.constant(undefined) : some(lists),
      atOnce: some(fc.integer({ min: 1, max: 3 })),
      repeat: some(
        fc.record({
          until: fc.record({
            field: fc.constant('output.n'),
            operator: fc.constant('gte' as const),
            value: fc.nat(4),
          }),
          max: fc.integer({ min: 1, max: 3 }),
        }),
      ),
      after: fc.option(fc.subarray(before), { nil: undefined }),
      retry: some(fc.record({ times: fc.nat(2), delayMs: some(fc.constant(1000)) })),
      onError: fc.option(rules, { nil: undefined, freq: 1 }),
    })
    .map((step) => ({
      ...step,
      input: step.each === undefined ? { ...step.input, b: 'x' } : step.input,
    }))
}

type Ending = { output: JsonValue; error?: undefined } | { output?: undefined; error: unknown }

/** The record of calls, and one run after the other over it, as a node does. */
class Scene {
  readonly made = new Map<string, { tool: string; input: JsonValue; result?: CallResult }>()
  readonly problems: string[] = []
  readonly #spec: CompositionSpec
  readonly #model: PlayedComposition
  #inProgress = 0
  #whenIdle: (() => void)[] = []

  constructor(spec: CompositionSpec, model: PlayedComposition) {
    this.#spec = spec
    this.#model = model
  }

  get open(): string[] {
    return [...this.made].flatMap(([key, { result }]) => (result === undefined ? [key] : []))
  }

  settle(key: string): void {
    const call = this.made.get(key)
    if (call !== undefined) call.result = answer(call.tool, key, call.input)
  }

  /** One run, to its end or until nothing but open calls is left to wait for. */
  async run(): Promise<Ending | undefined> {
    const { execute } = toCompositionBehaviour(this.#spec)
    const context = { callId: 'call_1' } as CallContext
    const ends = Promise.resolve(execute({}, context, this.#steps())).then(
      (output): Ending => ({ output: output as JsonValue }),
      (error: unknown): Ending => ({ error }),
    )
    for (;;) {
      const end = (await Promise.race([ends, nextTurn()])) ?? undefined
      if (end !== undefined || this.#inProgress === 0) return end
    }
  }

  #steps(): StepCalls {
    return {
      requestedAt: 0,
      now: () => 0,
      earlier: new Map(),
      mayWait: true,
      call: (step) => this.#call(step),
      start: () => Promise.reject(new Error('not used')),
      busy: () => () => undefined,
      idle: () =>
        this.#inProgress === 0
          ? Promise.resolve()
          : new Promise((resolve) => this.#whenIdle.push(resolve)),
    }
  }

  #call({ key, tool, input, startAt }: StepCall): Promise<CallResult> {
    const known = this.made.get(key)
    const digest = JSON.stringify([tool, input])
    if (known !== undefined && JSON.stringify([known.tool, known.input]) !== digest) {
      this.problems.push(`${key} differs from before: ${digest}`)
    }
    if (known?.result !== undefined) return Promise.resolve(known.result)
    if (known !== undefined) return new Promise(() => undefined)
    this.#checkMade(key)
    const call: { tool: string; input: JsonValue; result?: CallResult } = { tool, input }
    this.made.set(key, call)
    if (tool.startsWith('wait.') || startAt !== undefined) return new Promise(() => undefined)
    this.#inProgress += 1
    const result = answer(tool, key, input)
    return this.#later(tool.startsWith('slow.')).then(() => {
      call.result = result
      this.#inProgress -= 1
      if (this.#inProgress === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
      return result
    })
  }

  #later(isSlow: boolean): Promise<unknown> {
    return isSlow ? nextTurn() : Promise.resolve()
  }

  /** Nothing is made before its time, and never more at once than allowed. */
  #checkMade(key: string): void {
    const id = stepOf(key)
    const step = this.#spec.steps.find((one) => one.id === id)
    for (const before of planOf(this.#spec).get(id) ?? []) {
      for (const needed of this.#model.calls.get(before)?.keys() ?? []) {
        if (this.made.get(needed)?.result === undefined)
          this.problems.push(`${key} before ${needed}`)
      }
    }
    const open = this.open.filter((other) => stepOf(other) === id)
    if (open.length >= (step?.atOnce ?? 4)) this.problems.push(`${key} beside ${open.join(' ')}`)
  }
}

const stepOf = (key: string) => /^s\d+/.exec(key)?.[0] ?? ''
const nextTurn = async () => {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Answers what is open in the order of the choices, until the composition has ended. */
async function play(scene: Scene, choices: Iterator<number>): Promise<Ending | undefined> {
  let end = await scene.run()
  for (let round = 0; end === undefined && round < 500; round += 1) {
    const { open } = scene
    expect(open).not.toEqual([])
    const choice = Number(choices.next().value)
    // Now and then a node dies before there is an answer, and now and then there are two.
    if (choice % 5 > 0) scene.settle(open[choice % open.length] ?? '')
    if (choice % 5 > 3) scene.settle(scene.open[0] ?? '')
    end = await scene.run()
  }
  return end
}

test('graphs of steps behave like their model, in any order of answers', async () => {
  await fc.assert(
    fc.asyncProperty(specs, fc.infiniteStream(fc.nat(1000)), async (spec, choices) => {
      const model = playThrough(spec)
      const scene = new Scene(spec, model)
      const { output, error } = (await play(scene, choices)) ?? {}
      expect(scene.problems).toEqual([])
      const expected = new Map([...model.calls.values()].flatMap((made) => [...made]))
      for (const [key, { input }] of scene.made) expect(input).toEqual(expected.get(key))
      if (model.fatal.size === 0) {
        expect(output).toEqual(Object.fromEntries(model.outcomes))
        expect([...scene.made.keys()].sort()).toEqual([...expected.keys()].sort())
        return
      }
      const message = error instanceof ToolError ? error.message : String(error)
      expect(model.fatal).toContain(/^Step (s\d+):/.exec(message)?.[1])
    }),
    { numRuns },
  )
})
