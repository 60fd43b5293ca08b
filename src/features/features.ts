import { apisFeature } from './apis/feature.ts'
import { approvalsFeature } from './approvals/feature.ts'
import { auditFeature } from './audit/feature.ts'
import { agentsFeature } from './agents/feature.ts'
import { authoringFeature } from './authoring/feature.ts'
import { callsFeature } from './calls/feature.ts'
import { codeFeature } from './code/feature.ts'
import { conversationsFeature } from './conversations/feature.ts'
import { dataFlowFeature } from './data-flow/feature.ts'
import { evalsFeature } from './evals/feature.ts'
import { eventsFeature } from './events/feature.ts'
import type { Feature } from './feature.ts'
import { keysFeature } from './keys/feature.ts'
import { limitsFeature } from './limits/feature.ts'
import { mcpServersFeature } from './mcp-servers/feature.ts'
import { pagesFeature } from './pages/feature.ts'
import { networkFeature } from './network/feature.ts'
import { peopleFeature } from './people/feature.ts'
import { questionsFeature } from './questions/feature.ts'
import { schedulesFeature } from './schedules/feature.ts'
import { secretsFeature } from './secrets/feature.ts'
import { explainFeature } from './explain/feature.ts'
import { settingsFeature } from './settings/feature.ts'
import { sandboxFeature } from './sandbox/feature.ts'
import { toolsFeature } from './tools/feature.ts'
import { usageFeature } from './usage/feature.ts'
import { signInsFeature } from './sign-ins/feature.ts'
import { tenantsFeature } from './tenants/feature.ts'
import { policiesFeature } from './policies/feature.ts'
import { skillsFeature } from './skills/feature.ts'
import { backupFeature } from './backup/feature.ts'
import { workspacesFeature } from './workspaces/feature.ts'
import { uploadsFeature } from './uploads/feature.ts'

/** Every feature, in the order in which they open. */
export const features: readonly Feature[] = [
  callsFeature,
  secretsFeature,
  schedulesFeature,
  dataFlowFeature,
  limitsFeature,
  auditFeature,
  keysFeature,
  usageFeature,
  tenantsFeature,
  peopleFeature,
  signInsFeature,
  skillsFeature,
  agentsFeature,
  policiesFeature,
  networkFeature,
  approvalsFeature,
  questionsFeature,
  toolsFeature,
  evalsFeature,
  authoringFeature,
  explainFeature,
  settingsFeature,
  mcpServersFeature,
  apisFeature,
  uploadsFeature,
  workspacesFeature,
  pagesFeature,
  codeFeature,
  eventsFeature,
  conversationsFeature,
  backupFeature,
  sandboxFeature,
]
