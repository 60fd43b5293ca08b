import { expect, test, vi } from 'vitest'
import { createId } from '../kernel/ids.ts'
import type { GroupRecord } from './group.ts'
import type { GroupStore } from './group-store.ts'
import { finishGroup } from './finish-group.ts'

const tenant = 't'
const never = new AbortController().signal

type Marks = Pick<GroupStore, 'finish' | 'find'>

/** A settled group held by its second attempt, and its state in the store. */
function settledGroup(): {
  store: Marks
  group: { tenant: string; groupId: string; attempt: number }
} {
  const group = { tenant, groupId: createId('group'), attempt: 2 }
  const record: GroupRecord = {
    ...group,
    pending: 0,
    failed: 0,
    isSealed: true,
    members: 1,
    continuation: { kind: 'turn', data: null },
    settledAt: 1,
  }
  const store: Marks = {
    find: async () => ({ ...record }),
    async finish(_tenant, _groupId, attempt) {
      if (record.continuedAt !== undefined || attempt !== record.attempt) return false
      record.continuedAt = 2
      return true
    },
  }
  return { store, group }
}

/** A store whose answers get lost: before it has done the work, or after. */
function losing(store: Marks, answers: ('before' | 'after')[]): Marks {
  return {
    ...store,
    async finish(...asked) {
      const lost = answers.shift()
      if (lost === 'before') throw new Error('gone')
      const isDone = await store.finish(...asked)
      if (lost === 'after') throw new Error('gone')
      return isDone
    },
  }
}

test('a mark whose answer was lost still counts as ours', async () => {
  const { store, group } = settledGroup()
  const asked = finishGroup(group, { store: losing(store, ['before', 'after']), signal: never })
  expect(await asked).toBe(true)
  expect(await finishGroup(group, { store, signal: never })).toBe(true)
})

test('a mark of another attempt is not ours', async () => {
  const { store, group } = settledGroup()
  await store.finish(tenant, group.groupId, group.attempt)
  const earlier = { ...group, attempt: group.attempt - 1 }
  expect(await finishGroup(earlier, { store, signal: never })).toBe(false)
})

test('an unavailable store is retried for half a minute, or briefly when stopping', async () => {
  vi.useFakeTimers()
  try {
    const { store, group } = settledGroup()
    const tries = async (signal: AbortSignal) => {
      const left = Array.from({ length: 100 }, () => 'before' as const)
      const asked = finishGroup(group, { store: losing(store, left), signal }).catch(String)
      await vi.runAllTimersAsync()
      return [await asked, 100 - left.length]
    }
    expect(await tries(never)).toEqual(['Error: gone', 30])
    expect(await tries(AbortSignal.abort())).toEqual(['Error: gone', 5])
  } finally {
    vi.useRealTimers()
  }
})
