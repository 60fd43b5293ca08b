import type { ApiOf } from '../core/operations/operation.ts'
import { apiOperations } from './apis/operations.ts'
import { apiToolOperations } from './apis/tool-operations.ts'
import { approvalOperations } from './approvals/operations.ts'
import { auditOperations } from './audit/operations.ts'
import { grantOperations } from './agents/grant-operations.ts'
import { agentOperations } from './agents/operations.ts'
import { toolFromOperations } from './authoring/from-operations.ts'
import { authoringOperations } from './authoring/operations.ts'
import { toolVersionOperations } from './authoring/version-operations.ts'
import { callOperations } from './calls/operations.ts'
import { conversationOperations } from './conversations/operations.ts'
import { runOperations } from './conversations/run-operations.ts'
import { dataFlowOperations } from './data-flow/operations.ts'
import { evalOperations } from './evals/operations.ts'
import { eventOperations } from './events/operations.ts'
import { keyOperations } from './keys/operations.ts'
import { limitOperations } from './limits/operations.ts'
import { connectionOperations } from './mcp-servers/connection-operations.ts'
import { mcpServerOperations } from './mcp-servers/operations.ts'
import { mcpToolOperations } from './mcp-servers/tool-operations.ts'
import { networkOperations } from './network/operations.ts'
import { memberOperations } from './people/operations.ts'
import { policyOperations } from './policies/operations.ts'
import { questionOperations } from './questions/operations.ts'
import { scheduleOperations } from './schedules/operations.ts'
import { keyringOperations } from './secrets/keyring-operations.ts'
import { secretOperations } from './secrets/operations.ts'
import { explainOperations } from './explain/operations.ts'
import { settingOperations } from './settings/operations.ts'
import { toolOperations } from './tools/operations.ts'
import { usageOperations } from './usage/operations.ts'
import { accountOperations } from './sign-ins/account-operations.ts'
import { invitationOperations } from './sign-ins/invitation-operations.ts'
import { signInOperations } from './sign-ins/operations.ts'
import { tenantOperations } from './tenants/operations.ts'
import { skillOperations } from './skills/operations.ts'
import { backupOperations } from './backup/operations.ts'
import { processOperations } from './sandbox/process-operations.ts'
import { sandboxOperations } from './sandbox/operations.ts'
import { attachmentOperations } from './workspaces/attachment-operations.ts'
import { workspaceFileOperations } from './workspaces/file-operations.ts'
import { workspaceOperations } from './workspaces/operations.ts'
import { uploadOperations } from './uploads/operations.ts'

/** Every operation of every feature, by its library method. */
export const operations = {
  ...callOperations,
  ...dataFlowOperations,
  ...limitOperations,
  ...scheduleOperations,
  ...secretOperations,
  ...keyringOperations,
  ...auditOperations,
  ...keyOperations,
  ...usageOperations,
  ...tenantOperations,
  ...memberOperations,
  ...signInOperations,
  ...accountOperations,
  ...invitationOperations,
  ...skillOperations,
  ...agentOperations,
  ...grantOperations,
  ...policyOperations,
  ...networkOperations,
  ...approvalOperations,
  ...questionOperations,
  ...toolOperations,
  ...evalOperations,
  ...authoringOperations,
  ...toolVersionOperations,
  ...toolFromOperations,
  ...explainOperations,
  ...settingOperations,
  ...mcpServerOperations,
  ...mcpToolOperations,
  ...connectionOperations,
  ...apiOperations,
  ...apiToolOperations,
  ...uploadOperations,
  ...workspaceOperations,
  ...workspaceFileOperations,
  ...attachmentOperations,
  ...eventOperations,
  ...conversationOperations,
  ...runOperations,
  ...backupOperations,
  ...sandboxOperations,
  ...processOperations,
}

/** The library methods of all features. */
export type FeatureApi = ApiOf<typeof operations>
