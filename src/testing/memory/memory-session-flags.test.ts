import { describeSessionFlags } from '../../store/contract/session-flags.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeSessionFlags(() => store)
