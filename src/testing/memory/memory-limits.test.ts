import { describe } from 'vitest'
import { describeLimits } from '../../store/contract/limits.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

describe('the store in memory', () => {
  const store = createMemoryStore()
  describeLimits(() => store)
})
