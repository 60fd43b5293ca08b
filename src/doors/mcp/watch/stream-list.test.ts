import { expect, test } from 'vitest'
import type { Caller } from '../../../core/kernel/call.ts'
import { holderOf } from '../mcp-request-context.ts'
import { createStreamList } from './stream-list.ts'

function holder(tenant: string, id: string): string {
  const caller: Caller = {
    tenant,
    principal: { kind: 'key', id },
    permissions: ['tools.call'],
    runtime: 'mcp',
  }
  return holderOf(caller)
}

test('a tenant with many keys leaves streams to the others', () => {
  const list = createStreamList(8)
  const keys = Array.from({ length: 8 }, (_none, number) => holder('acme', `key_${number}`))
  const opened = keys.filter((key) => {
    const hasRoom = list.hasRoom(key)
    if (hasRoom) list.add(key, () => undefined)
    return hasRoom
  })
  expect(opened).toHaveLength(4)
  // A slug that begins like another is another tenant.
  expect(list.hasRoom(holder('acme-2', 'key_0'))).toBe(true)
  expect(list.hasRoom(holder('acm', 'key_0'))).toBe(true)
})
