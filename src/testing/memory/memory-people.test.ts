import { describeMembers } from '../../store/contract/members.contract.ts'
import { describeTenants } from '../../store/contract/tenants.contract.ts'
import { createMemoryStore } from './create-memory-store.ts'

const store = createMemoryStore()

describeMembers(() => store)
describeTenants(() => store)
