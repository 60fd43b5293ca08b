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
  description: 'Takes parts out of its context, and copies it by a spread.',
  effect: 'read',
  cost: 0,
  inputSchema: z.object({}),
  async execute(_input, context) {
    const { callId, log, call, progress, signal, ...rest } = context
    log({ said: 'taken out' })
    progress({ text: 'half' })
    const names = ['callId', 'secrets', 'log', 'call', 'signal', 'tools', 'files', 'skills']
    const copy = { ...context }
    return {
      isAborted: signal.aborted,
      isSameSignal: signal === context.signal,
      isSameCall: copy.callId === callId && rest.tenant === context.tenant,
      four: await call('math.double', { value: 2 }),
      inContext: names.filter((name) => name in context),
      inCopy: names.filter((name) => name in copy),
    }
  },
})

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({ tools: [double, copying] })
})
afterAll(() => crib.close())

test('members taken out of a context work, and a spread copies only the plain fields', async () => {
  const { status, output } = await crib.call('math.copying', {})
  expect({ status, output }).toEqual({
    status: 'completed',
    output: {
      isAborted: false,
      isSameSignal: true,
      isSameCall: true,
      four: 4,
      inContext: ['callId', 'secrets', 'log', 'call', 'signal', 'tools', 'files', 'skills'],
      inCopy: ['callId', 'secrets'],
    },
  })
})
