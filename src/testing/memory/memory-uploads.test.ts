import { describeUploads } from '../../store/contract/uploads.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeUploads(() => store)
