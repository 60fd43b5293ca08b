import { describeApprovals } from './approvals/store/approvals.contract.ts'
import { describeAuditChain } from './audit/store/audit-chain.contract.ts'
import { describeAuditList } from './audit/store/audit-list.contract.ts'
import { describeAuditMemory } from './audit/store/audit-memory.contract.ts'
import { describeAuditTampering } from './audit/store/audit-tampering.contract.ts'
import { describeConversations } from './conversations/store/conversations.contract.ts'
import { describeConnectionLife } from './mcp-servers/store/connection-life.contract.ts'
import { describeConnections } from './mcp-servers/store/connections.contract.ts'
import { describeMembers } from './people/store/members.contract.ts'
import { describeLimits } from './limits/store/limits.contract.ts'
import { describeKeys } from './keys/store/keys.contract.ts'
import { describeScheduleRuns } from './schedules/store/runs.contract.ts'
import { describeSchedules } from './schedules/store/schedules.contract.ts'
import { describeSignInTimes } from './sign-ins/store/sign-in-times.contract.ts'
import { describeSignIn } from './sign-ins/store/sign-in.contract.ts'
import { describeQuestions } from './questions/store/questions.contract.ts'
import { describeVersions } from './versions/store/versions.contract.ts'
import { describeWorkspaces } from './workspaces/store/workspaces.contract.ts'
import { describeSkills } from './skills/store/skills.contract.ts'
import { describeFoundTools } from './tools/found-tools.contract.ts'
import { describeReopenedApprovals } from './approvals/store/reopened-approvals.contract.ts'
import { describeGateway } from './mcp-servers/store/gateway.contract.ts'
import { describeSessionFlags } from './data-flow/store/session-flags.contract.ts'
import { describeTenantRemoval, describeTenants } from './tenants/store/tenants.contract.ts'
import { describeUploads } from './uploads/store/uploads.contract.ts'
import { describeUsage } from './usage/usage.contract.ts'
import { describeVault } from './secrets/store/vault.contract.ts'
import type { StoreContext } from '../store/store.contract.ts'

/** Everything that the stores of features promise, whichever engine is below. */
export function describeFeatureStores({ store, engine, db, openOther }: StoreContext): void {
  describeApprovals(store, { openOther, db })
  describeReopenedApprovals(store, openOther)
  describeVault(store, db)
  describeConnections(store)
  describeConnectionLife(store, db)
  describeKeys(store, db)
  describeSessionFlags(store, { openOther })
  describeFoundTools(store)
  describeGateway(store)
  describeSchedules(store)
  describeScheduleRuns(store)
  describeSignIn(store)
  describeSignInTimes(store, db)
  describeMembers(store)
  describeTenants(store)
  describeTenantRemoval(store, { engine })
  describeUsage(store)
  describeAuditList(store, db)
  describeAuditChain(store, { openOther, db })
  describeAuditMemory(store, { openOther, db })
  describeAuditTampering(store, db)
  describeLimits(store)
  describeSkills(store)
  describeWorkspaces(store)
  describeQuestions(store)
  describeVersions(store)
  describeConversations(store)
  describeUploads(store, db)
}
