import { describeConversations } from '../../store/contract/conversations.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()
describeConversations(() => store)
