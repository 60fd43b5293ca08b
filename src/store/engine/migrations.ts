import { featureMigrations } from '../../features/declarations.ts'
import { catalogue } from './migrations/catalogue.ts'
import { durableWork } from './migrations/durable-work.ts'
import { flows } from './migrations/flows.ts'
import { foundation } from './migrations/foundation.ts'
import { governance } from './migrations/governance.ts'
import { signIn } from './migrations/sign-in.ts'
import { tenantLife } from './migrations/tenant-life.ts'
import { audit } from './migrations/audit.ts'
import { limits } from './migrations/limits.ts'
import { keys } from './migrations/keys.ts'
import { skills } from './migrations/skills.ts'
import { keyMakers } from './migrations/key-makers.ts'
import { search } from './migrations/search.ts'
import { connections } from './migrations/connections.ts'
import { knownServers } from './migrations/known-servers.ts'
import { conversations } from './migrations/conversations.ts'
import { secretNotes } from './migrations/secret-notes.ts'
import { secretValues } from './migrations/secret-values.ts'
import { toolPace } from './migrations/tool-pace.ts'
import { callsByKey } from './migrations/calls-by-key.ts'
import { uploads } from './migrations/uploads.ts'
import { askingTools } from './migrations/asking-tools.ts'
import { ruleChanges } from './migrations/rule-changes.ts'
import { visitorKeys } from './migrations/visitor-keys.ts'
import { approvalPeople } from './migrations/approval-people.ts'
import { groupSettlers } from './migrations/group-settlers.ts'
import { approvalPreviews } from './migrations/approval-previews.ts'
import { toolVersions } from './migrations/tool-versions.ts'
import { stepCalls } from './migrations/step-calls.ts'

/**
 * Every step the schema ever took, in order. Append only: a published step is never changed.
 * PGlite takes one statement at a time, so a step is a list of statements.
 */
export const migrations: Readonly<Record<string, readonly string[]>> = {
  ...foundation,
  ...durableWork,
  ...governance,
  ...catalogue,
  ...tenantLife,
  ...signIn,
  ...audit,
  ...limits,
  ...keys,
  ...skills,
  ...flows,
  ...keyMakers,
  ...search,
  ...conversations,
  ...knownServers,
  ...connections,
  ...toolPace,
  ...uploads,
  ...secretNotes,
  ...callsByKey,
  ...secretValues,
  ...askingTools,
  ...ruleChanges,
  ...visitorKeys,
  ...approvalPeople,
  ...groupSettlers,
  ...toolVersions,
  ...approvalPreviews,
  ...featureMigrations,
  ...stepCalls,
}
