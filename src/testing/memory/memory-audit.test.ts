import { describe } from 'vitest'
import { describeAuditList } from '../../store/contract/audit-list.contract.ts'
import { describeUsage } from '../../store/contract/usage.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

describe('the store in memory', () => {
  const store = createMemoryStore()
  describeUsage(() => store)
  describeAuditList(() => store)
})
