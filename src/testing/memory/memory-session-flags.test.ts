import { describeFoundTools } from '../../store/contract/found-tools.contract.ts'
import { describeSessionFlags } from '../../store/contract/session-flags.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeSessionFlags(() => store)
describeFoundTools(() => store)
