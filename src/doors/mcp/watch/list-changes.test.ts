import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CoreApi } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'
import { watchChanges } from './list-changes.ts'

const requestContext: McpRequestContext = {
  caller: {
    tenant: 'default',
    principal: { kind: 'key', id: 'one' },
    permissions: ['tools.call'],
    runtime: 'mcp',
  },
  scope: {},
  recheck: () => Promise.resolve(),
}

/** A crib whose store is away for a while, as its doors see it. */
function openCrib() {
  const state = { names: ['a'], isAway: false, failed: 0 }
  const word = { change: () => undefined as void, follow: () => undefined as void }
  async function answer<T>(value: T): Promise<T> {
    if (!state.isAway) return value
    state.failed += 1
    throw new ToolError('store_unavailable', 'The store is away')
  }
  const api = {
    listPrompts: () => answer({ items: state.names.map((name) => ({ name, arguments: [] })) }),
    watchOffers(_tenant: string, listener: () => void) {
      word.change = listener
      return () => undefined
    },
    watchResources: () => () => undefined,
    watchResource(_caller: unknown, _query: unknown, listener: () => void) {
      word.follow = listener
      return answer(() => undefined)
    },
  }
  const shared: Pick<McpShared, 'api' | 'onFault'> = {
    api: api as Partial<CoreApi> as CoreApi,
    onFault(error) {
      throw error
    },
  }
  return { state, word, shared }
}

test('a change that could not be checked is announced once the store is back', async () => {
  const { state, word, shared } = openCrib()
  const told: string[] = []
  const tell = ({ kind }: { kind: string }) => void told.push(kind)
  const watch = watchChanges(shared, () => requestContext, { tell, lists: ['prompts'] })
  // The first state has been read by then.
  await setImmediate()
  state.names = ['a', 'b']
  state.isAway = true
  word.change()
  await expect.poll(() => state.failed).toBeGreaterThan(1)
  state.isAway = false
  await expect.poll(() => told).toEqual(['prompts_list_changed'])
  watch.stop()
})

test('an address that could not be followed at first is followed later, and announced', async () => {
  const { state, word, shared } = openCrib()
  const told: unknown[] = []
  state.isAway = true
  const watch = watchChanges(shared, () => requestContext, {
    tell: (event) => void told.push(event),
    lists: [],
  })
  watch.follow('crib://calls/one')
  await expect.poll(() => state.failed).toBeGreaterThan(1)
  state.isAway = false
  await expect.poll(() => told.length).toBe(1)
  word.follow()
  await expect.poll(() => told.length).toBe(2)
  watch.stop()
})

test('a client that has left is not retried', async () => {
  const { state, word, shared } = openCrib()
  state.isAway = true
  const watch = watchChanges(shared, () => requestContext, {
    tell: () => undefined,
    lists: ['prompts'],
  })
  watch.follow('crib://calls/one')
  word.change()
  await expect.poll(() => state.failed).toBeGreaterThan(1)
  watch.stop()
  const before = state.failed
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(state.failed).toBe(before)
})
