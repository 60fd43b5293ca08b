import { describeRules } from '../../store/contract/rules.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeRules(() => store)
