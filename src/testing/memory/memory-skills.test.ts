import { describeSkills } from '../../store/contract/skills.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeSkills(() => store)
