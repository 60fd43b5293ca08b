import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineComposition } from '../../define-composition.ts'
import { defineTool } from '../../define-tool.ts'
import type { StoredCall } from '../../call-log.ts'
import type { CallRecord } from '../../kernel/call.ts'
import { createRegistry } from '../../registry.ts'
import { toRerun } from './to-rerun.ts'

const write = defineTool({
  name: 't.write',
  description: 'A step for tests.',
  effect: 'write',
  inputSchema: z.object({}),
  execute: () => 1,
  undo: () => undefined,
})
const composed = (approval: 'auto' | 'always' = 'auto') =>
  defineComposition({
    name: 't.all',
    description: 'A composition for tests.',
    inputSchema: z.object({}),
    approval,
    steps: [
      { id: 'pay', tool: write },
      { id: 'mail', tool: write },
    ],
  })

const call = { callId: 'call_old', tenant: 'acme', tool: 't.all', status: 'completed' }
const step = (stepKey: string, more: Partial<StoredCall> = {}) =>
  ({
    ...call,
    callId: `call_${stepKey}`,
    tool: 't.write',
    stepKey,
    isRepeatable: false,
    ...more,
  }) as StoredCall

/** A record of the call, its steps, and the undos of some of them. */
function portsOf(made: StoredCall[], undone: readonly string[] = []) {
  const registry = createRegistry()
  registry.update([
    { type: 'register', tool: write },
    { type: 'register', tool: composed() },
  ])
  const entry = registry.find('t.all')
  const ran = { ...call, toolVersion: entry?.version } as StoredCall
  const toUndo = (id: string) =>
    ({ ...call, callId: `call_undo_${id}`, undoes: id }) as unknown as CallRecord
  const ports = {
    registry,
    findVersion: async (_tenant: string, name: string, version: string) => {
      const found = registry.find(name)
      return found?.version === version ? found : undefined
    },
    calls: {
      findWithInput: async () => ran,
      listChildren: async () => made,
      list: async (_tenant: string, { idempotencyKey = '' }: { idempotencyKey?: string }) => ({
        items: undone.filter((id) => idempotencyKey === `undo/${id}/0`).map(toUndo),
      }),
    },
  }
  return { ports, ran }
}

test('it keeps what does not follow, and counts it', async () => {
  const { ports, ran } = portsOf([step('pay'), step('mail')])
  const { candidate, rerun } = await toRerun(ran, 'mail', ports)
  expect(rerun).toEqual({ of: 'call_old', from: 'mail', kept: 1 })
  expect(candidate).toBe(ports.registry.find('t.all'))
})

test('the error names the versions of a tool that has changed or no longer exists', async () => {
  const { ports, ran } = portsOf([])
  ports.registry.update([{ type: 'replace', tool: composed('always') }])
  const now = ports.registry.find('t.all')?.version
  const changed = `t.all has changed: the call ran version ${ran.toolVersion}, which is not kept, and now it is ${now}`
  await expect(toRerun(ran, 'mail', ports)).rejects.toMatchObject({
    code: 'conflict',
    message: changed,
  })
  ports.registry.update([{ type: 'remove', name: 't.all' }])
  await expect(toRerun(ran, 'mail', ports)).rejects.toMatchObject({
    code: 'conflict',
    message: `t.all no longer exists, and its version ${ran.toolVersion} is not kept`,
  })
})

test('an earlier version runs under the rules of the current one', async () => {
  const { ports, ran } = portsOf([])
  const before = ports.registry.find('t.all')
  ports.registry.update([{ type: 'replace', tool: composed('always') }])
  const { candidate } = await toRerun(ran, 'mail', { ...ports, findVersion: async () => before })
  expect(candidate?.contract.approval).toBe('always')
  expect(candidate?.version).toBe(before?.version)
})

test('an effect that may have happened is not repeated unasked', async () => {
  const error = { code: 'outcome_unknown', message: '', retryable: false } as const
  const { ports, ran } = portsOf([step('pay', { status: 'failed', error })])
  await expect(toRerun(ran, 'mail', ports)).rejects.toMatchObject({ code: 'conflict' })
  expect((await toRerun(ran, 'pay', ports)).rerun.kept).toBe(0)
})

test('neither the call nor a result to keep may have been undone', async () => {
  const whole = portsOf([step('pay')], ['call_old'])
  await expect(toRerun(whole.ran, 'mail', whole.ports)).rejects.toMatchObject({
    message: 'call_old was undone by call_undo_call_old',
  })
  const one = portsOf([step('pay')], ['call_pay'])
  await expect(toRerun(one.ran, 'mail', one.ports)).rejects.toMatchObject({
    message: 'Step pay was undone by call_undo_call_pay',
  })
  expect((await toRerun(one.ran, 'pay', one.ports)).rerun.kept).toBe(0)
})

test.each([
  ['a test', { purpose: 'test' as const }],
  ['an undo', { undoes: 'call_other' }],
  ['a call that still runs', { status: 'running' as const }],
  ['a call from before versions were recorded', { toolVersion: undefined }],
])('%s cannot run again from a step', async (_name, more) => {
  const { ports, ran } = portsOf([])
  const other = { ...ran, ...more } as StoredCall
  await expect(toRerun(other, 'mail', ports)).rejects.toMatchObject({ code: 'conflict' })
})
