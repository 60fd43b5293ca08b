import { afterAll, beforeAll, describe } from 'vitest'
import { describeApprovals } from './contract/approvals.contract.ts'
import { describeAuditChain } from '../features/audit/store/audit-chain.contract.ts'
import { describeAuditList } from '../features/audit/store/audit-list.contract.ts'
import { describeAuditMemory } from '../features/audit/store/audit-memory.contract.ts'
import { describeAuditTampering } from '../features/audit/store/audit-tampering.contract.ts'
import { describeCallList } from './contract/call-list.contract.ts'
import { describeCallTokens } from './contract/call-tokens.contract.ts'
import { describeCallWork } from './contract/call-work.contract.ts'
import { describeCalls } from './contract/calls.contract.ts'
import { describeClock } from './contract/clock.contract.ts'
import { describeStepCalls } from './contract/step-calls.contract.ts'
import { describeConditions } from './contract/conditions.contract.ts'
import { describeConversations } from '../features/conversations/store/conversations.contract.ts'
import { describeEvents } from './contract/events.contract.ts'
import { describeGroups } from './contract/groups.contract.ts'
import { describeConnectionLife } from '../features/mcp-servers/store/connection-life.contract.ts'
import { describeConnections } from '../features/mcp-servers/store/connections.contract.ts'
import { describeIdempotency } from './contract/idempotency.contract.ts'
import { describeRules } from './contract/rules.contract.ts'
import { describeMembers } from '../features/people/store/members.contract.ts'
import { describeLimits } from '../features/limits/store/limits.contract.ts'
import { describeKeys } from '../features/keys/store/keys.contract.ts'
import { describeScheduleRuns } from '../features/schedules/store/runs.contract.ts'
import { describeSchedules } from '../features/schedules/store/schedules.contract.ts'
import { describeSignInTimes } from '../features/sign-ins/store/sign-in-times.contract.ts'
import { describeSignIn } from '../features/sign-ins/store/sign-in.contract.ts'
import { describeQuestions } from '../features/questions/store/questions.contract.ts'
import { describeVersions } from '../features/versions/store/versions.contract.ts'
import { describeWorkspaces } from '../features/workspaces/store/workspaces.contract.ts'
import { describeSkills } from '../features/skills/store/skills.contract.ts'
import { describeFoundTools } from '../features/tools/found-tools.contract.ts'
import { describeReopenedApprovals } from './contract/reopened-approvals.contract.ts'
import { describeGateway } from '../features/mcp-servers/store/gateway.contract.ts'
import { describeSessionFlags } from '../features/data-flow/store/session-flags.contract.ts'
import { describeStorage } from './contract/storage.contract.ts'
import {
  describeTenantRemoval,
  describeTenants,
} from '../features/tenants/store/tenants.contract.ts'
import { describeUploads } from '../features/uploads/store/uploads.contract.ts'
import { describeUsage } from '../features/usage/usage.contract.ts'
import { describeVault } from '../features/secrets/store/vault.contract.ts'
import { settingsFor } from './contract/records.ts'
import type { Engine } from './engine/engine.ts'
import { createStores, type OpenStores } from '../features/open-stores.ts'

/** A way to a store: each `open` is on the same data, after the last one was closed. */
export interface StoreFixture {
  open(): Promise<OpenStores>
  /** The engine below the store that was opened last, to look at and to tamper with. */
  engine(): Engine
}

/** Everything that the port promises, whichever engine is below. */
export function describeStore(name: string, fixture: StoreFixture): void {
  let current: OpenStores | undefined
  const store = () => {
    if (current === undefined) throw new Error('the store is not open')
    return current
  }
  const reopen = async () => {
    await current?.close()
    current = await fixture.open()
  }
  const db = () => fixture.engine().db
  // Another node on the same database, as the store sees it; it leaves the engine open.
  const openOther = (changes: Partial<Engine> = {}) =>
    createStores({ ...fixture.engine(), ...changes, close: async () => {} }, settingsFor('other'))
  describe(name, () => {
    beforeAll(async () => {
      current = await fixture.open()
    }, 60_000)
    afterAll(() => current?.close())

    describeCalls(store)
    describeCallWork(store, { openOther, engine: () => fixture.engine() })
    describeStepCalls(store, openOther)
    describeApprovals(store, { openOther, db })
    describeReopenedApprovals(store, openOther)
    describeCallList(store)
    describeCallTokens(store)
    describeGroups(store, openOther)
    describeIdempotency(store, { reopen, db })
    describeEvents(store, { reopen, db })
    describeVault(store, db)
    describeConnections(store)
    describeConnectionLife(store, db)
    describeKeys(store, db)
    describeStorage(store, reopen)
    describeSessionFlags(store, { openOther })
    describeFoundTools(store)
    describeGateway(store)
    describeSchedules(store)
    describeScheduleRuns(store)
    describeRules(store, { openOther })
    describeSignIn(store)
    describeSignInTimes(store, db)
    describeMembers(store)
    describeTenants(store)
    describeTenantRemoval(store, { engine: () => fixture.engine() })
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
    describeClock(store)
    describeConditions(() => fixture.engine())
  })
}
