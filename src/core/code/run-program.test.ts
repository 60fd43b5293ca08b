import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallResult } from '../kernel/call.ts'
import type {
  CodeAnswer,
  CodeCall,
  CodeEnd,
  RunningProgram,
  CodeTurn,
} from '../kernel/context/code.ts'
import type { JsonValue } from '../kernel/json.ts'
import { type ProgramCalls, runProgram } from './run-program.ts'

type Tools = (tool: string, input?: JsonValue) => Promise<JsonValue>

/** A program in this realm, driven in turns as the engine drives one. */
function open(main: (call: Tools) => Promise<JsonValue>): RunningProgram {
  const waiting = new Map<number, PromiseWithResolvers<JsonValue>>()
  let calls: CodeCall[] = []
  let end: CodeEnd | undefined
  let lastId = 0
  const call: Tools = (tool, input = {}) => {
    const turn = Promise.withResolvers<JsonValue>()
    lastId += 1
    waiting.set(lastId, turn)
    calls.push({ id: lastId, tool, input })
    return turn.promise
  }
  async function settle(): Promise<CodeTurn> {
    await new Promise((resolve) => setImmediate(resolve))
    const turn = { calls, logs: [], ...(end && { end }) }
    calls = []
    return turn
  }
  return {
    start() {
      main(call).then(
        (value) => (end = { kind: 'returned', value }),
        (error: Error) => (end = { kind: 'threw', message: error.message }),
      )
      return settle()
    },
    async answer(answers: readonly CodeAnswer[]) {
      for (const answer of answers) {
        const turn = waiting.get(answer.id)
        if ('error' in answer) turn?.reject(new Error(answer.error.message))
        else turn?.resolve(answer.output)
        await new Promise((resolve) => setImmediate(resolve))
      }
      return settle()
    },
    close: () => undefined,
  }
}

interface Recorded {
  result: CallResult
  settledAt: number | undefined
}

/** A record of calls. Tools named `ask.…` wait until somebody answers them. */
function createRecord() {
  const calls = new Map<string, Recorded>()
  const made: string[] = []
  let time = 0
  let activity = 0
  function toCalls(): ProgramCalls {
    return {
      earlier: new Map(calls),
      call({ key, tool }) {
        activity += 1
        const known = calls.get(key)
        if (known?.settledAt !== undefined) return Promise.resolve(known.result)
        if (known !== undefined) return new Promise(() => undefined)
        made.push(key)
        const isOpen = tool.startsWith('ask.')
        const result: CallResult = { status: 'completed', output: `${tool} ${made.length}` }
        time += 1
        calls.set(key, { result, settledAt: isOpen ? undefined : time })
        return isOpen ? new Promise(() => undefined) : Promise.resolve(result)
      },
      busy() {
        activity += 1
        return () => undefined
      },
    }
  }
  return {
    made,
    /** Runs it until it ends (its value) or waits (undefined). */
    async run(main: (call: Tools) => Promise<JsonValue>): Promise<JsonValue | undefined> {
      const options = { calls: toCalls(), maxCalls: 100, onLog: () => undefined }
      return Promise.race([runProgram(open(main), options), untilQuiet(() => activity)])
    },
    answer(tool: string) {
      time += 1
      for (const [key, call] of calls) {
        if (key.startsWith(`${tool}#`)) calls.set(key, { ...call, settledAt: time })
      }
    },
  }
}

/** Resolves when nothing has happened for many turns of the event loop. */
async function untilQuiet(read: () => number): Promise<undefined> {
  for (let seen = -1; seen !== read();) {
    seen = read()
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return undefined
}

test('three approvals at once are answered in any order, each followed by its own call', async () => {
  const main = (call: Tools) =>
    Promise.all(['a', 'b', 'c'].map((name) => call(`ask.${name}`).then(() => call(`do.${name}`))))
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }), async (order) => {
      const record = createRecord()
      expect(await record.run(main)).toBeUndefined()
      for (const name of order.slice(0, 2)) {
        record.answer(`ask.${name}`)
        expect(await record.run(main)).toBeUndefined()
      }
      record.answer(`ask.${order[2]}`)
      expect(await record.run(main)).toHaveLength(3)
      expect(record.made).toHaveLength(6)
    }),
    { numRuns: 6 },
  )
})

test('a race has the same winner when it is run again', async () => {
  const main = async (call: Tools) => {
    const first = await Promise.race([
      call('ask.slow').then(() => 'slow'),
      call('ask.quick').then(() => 'quick'),
    ])
    await call('ask.later', { first })
    return first
  }
  const record = createRecord()
  await record.run(main)
  record.answer('ask.quick')
  await record.run(main)
  record.answer('ask.slow')
  record.answer('ask.later')
  expect(await record.run(main)).toBe('quick')
})

test('a program that does something else when it is continued has no effect', async () => {
  const record = createRecord()
  let word = 'first'
  const main = async (call: Tools) => {
    await call('do.note', { word })
    await call('ask.person')
    return call('do.effect', { word })
  }
  await record.run(main)
  record.answer('ask.person')
  word = 'second'
  await expect(record.run(main)).rejects.toMatchObject({
    message: 'When it was continued, the program did not call do.note as before, but do.note',
  })
  expect(record.made).toHaveLength(2)
})

test('a program that ends without the calls it had made is refused', async () => {
  const record = createRecord()
  let isFirst = true
  const main = async (call: Tools) => {
    if (!isFirst) return 'nothing'
    await call('do.note')
    return call('ask.person')
  }
  await record.run(main)
  isFirst = false
  await expect(record.run(main)).rejects.toThrow(/did not call do.note as before/)
})

test('equal calls are told apart by how often they were made', async () => {
  const record = createRecord()
  const main = async (call: Tools) => [
    await call('do.count'),
    await call('do.count'),
    await call('ask.x'),
  ]
  await record.run(main)
  record.answer('ask.x')
  expect(await record.run(main)).toEqual(['do.count 1', 'do.count 2', 'ask.x 3'])
})

test('a program that waits for nothing, or calls without end, is ended', async () => {
  const record = createRecord()
  await expect(record.run(() => new Promise(() => undefined))).rejects.toThrow(/never happens/)
  const endless = async (call: Tools) => {
    for (;;) await call('do.count')
  }
  await expect(record.run(endless)).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('an error of a program fails the call', async () => {
  const record = createRecord()
  const thrown = record.run(() => Promise.reject(new Error('no')))
  await expect(thrown).rejects.toMatchObject({ code: 'tool_failed', message: 'no' })
})
