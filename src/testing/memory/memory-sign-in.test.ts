import { describeSignIn } from '../../store/contract/sign-in.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeSignIn(() => store)
