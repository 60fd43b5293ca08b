import { describeConnections } from '../../store/contract/connections.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeConnections(() => store)
