import { expect, test } from 'vitest'
import { aContext, aContract, createTestCrib, runTool } from './index.ts'
import { defineTool } from '../core/define-tool.ts'
import type { CallContext } from '../core/kernel/call.ts'
import { z } from 'zod'

test('a contract follows from what the test gives', () => {
  expect(aContract()).toMatchObject({ name: 'test.tool', effect: 'read', idempotent: true })
  expect(aContract({ name: 'mail.send', effect: 'write', timeoutMs: 5 })).toMatchObject({
    name: 'mail.send',
    title: 'Mail send',
    pack: 'mail',
    effect: 'write',
    idempotent: false,
    timeoutMs: 5,
    secrets: [],
  })
  expect(aContract({ secrets: aContract().secrets, source: 'gateway' }).source).toBe('gateway')
})

const greet = async ({ secrets, call, tenant }: CallContext) =>
  `${String(secrets['word'])} ${tenant} ${JSON.stringify(await call('other.tool', { n: 1 }))}`

test('a context holds what the test gives, and is empty otherwise', async () => {
  const call = (name: string, input: unknown) => ({ name, input })
  const context = aContext({ secrets: { word: 'Hi' }, tenant: 'acme', call })
  expect(await greet(context)).toBe('Hi acme {"name":"other.tool","input":{"n":1}}')
  await expect(greet(aContext())).rejects.toMatchObject({ code: 'tool_not_found' })
  await expect(aContext().files.read('x')).rejects.toMatchObject({ code: 'not_found' })
  expect(aContext().signal.aborted).toBe(false)
})

test('a context of a test has every field that a tool gets in a real call', async () => {
  const fields = defineTool({
    name: 'test.fields',
    description: 'Names the fields of its context.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: (_, context) => ({ fields: Object.keys(context) }),
  })
  const crib = await createTestCrib({ tools: [fields] })
  const { output } = await crib.call(fields)
  await crib.close()
  const alone = await runTool(fields, {})
  const given = new Set((alone.output as { fields: string[] }).fields)
  expect((output as { fields: string[] }).fields.filter((field) => !given.has(field))).toEqual([])
})
