import { describeGateway } from '../../store/contract/gateway.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()
describeGateway(() => store)
