import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../src/app/crib.ts'
import { createTestCrib } from '../src/testing/index.ts'
import { defineTool } from '../src/core/define-tool.ts'

const double = defineTool({
  name: 'math.double',
  description: 'Doubles a number.',
  effect: 'read',
  inputSchema: z.object({ value: z.number() }),
  execute: ({ value }) => value * 2,
})
const copying = defineTool({
  name: 'math.copying',
  description: 'Works with a copy of its context, and with parts that it has taken out.',
  effect: 'read',
  cost: 0,
  inputSchema: z.object({}),
  async execute(_input, context) {
    const { callId, log, call } = context
    log({ said: 'taken out' })
    const copy = { ...context }
    copy.log({ also: 'from the copy' })
    copy.progress({ text: 'half' })
    return {
      isSameCall: copy.callId === callId,
      isSameSignal: copy.signal === context.signal,
      isAborted: copy.signal.aborted,
      four: await call('math.double', { value: 2 }),
      eight: await copy.call('math.double', { value: 4 }),
      lacking: ['tools', 'files', 'skills', 'cost', 'secrets'].filter((name) => !(name in copy)),
    }
  },
})

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({ tools: [double, copying] })
})
afterAll(() => crib.close())

test('what is taken out of a context works, and so does a copy of it', async () => {
  const { status, output } = await crib.call('math.copying', {})
  expect({ status, output }).toEqual({
    status: 'completed',
    output: {
      isSameCall: true,
      isSameSignal: true,
      isAborted: false,
      four: 4,
      eight: 8,
      lacking: [],
    },
  })
})
