import type { PayloadsOf } from '../core/events/define-events.ts'
import { questionEvents } from './questions/events.ts'
import { questionMigrations, questionTables, type QuestionTables } from './questions/tables.ts'
import type { Migrations, TableSpec } from '../core/kernel/views/table-spec.ts'
import { apiEvents } from './apis/events.ts'
import { apiMigrations, apiTables, type ApiTables } from './apis/tables.ts'
import { agentEvents } from './agents/events.ts'
import { approvalEvents } from './approvals/events.ts'
import { approvalTables, type ApprovalTables } from './approvals/tables.ts'
import { auditEvents } from './audit/events.ts'
import { authoringEvents } from './authoring/events.ts'
import { backupEvents } from './backup/events.ts'
import { callEvents } from './calls/events.ts'
import { conversationEvents } from './conversations/events.ts'
import { conversationTables, type ConversationTables } from './conversations/tables.ts'
import { sessionEvents } from './data-flow/events.ts'
import { sessionFlagTables, type SessionFlagTables } from './data-flow/tables.ts'
import { keyEvents } from './keys/events.ts'
import { keyTables, type KeyTables } from './keys/tables.ts'
import { limitEvents } from './limits/events.ts'
import { limitTables, type LimitTables } from './limits/tables.ts'
import { mcpServerEvents } from './mcp-servers/events.ts'
import { mcpServerTables, type McpServerTables } from './mcp-servers/tables.ts'
import { networkEvents } from './network/events.ts'
import { memberEvents } from './people/events.ts'
import { memberTables, type MemberTables } from './people/tables.ts'
import { policyEvents } from './policies/events.ts'
import { catalogueTables, type CatalogueTables } from './policies/tables.ts'
import { sandboxEvents } from './sandbox/events.ts'
import { scheduleEvents } from './schedules/events.ts'
import { scheduleTables, type ScheduleTables } from './schedules/tables.ts'
import { secretEvents } from './secrets/events.ts'
import { secretTables, type SecretTables } from './secrets/tables.ts'
import { skillEvents } from './skills/events.ts'
import { skillTables, type SkillTables } from './skills/tables.ts'
import { tenantEvents } from './tenants/events.ts'
import { tenantsTables, type TenantsTables } from './tenants/tables.ts'
import { toolEvents } from './tools/events.ts'
import { foundToolTables, type FoundToolTables } from './tools/tables.ts'
import { uploadEvents } from './uploads/events.ts'
import { uploadTables, type UploadTables } from './uploads/tables.ts'
import { versionMigrations, versionTables, type VersionTables } from './versions/tables.ts'
import { workspaceEvents } from './workspaces/events.ts'
import { workspaceMigrations, workspaceTables, type WorkspaceTables } from './workspaces/tables.ts'
import { usageTables, type UsageTables } from './usage/tables.ts'
import { signInTables, type SignInTables } from './sign-ins/tables.ts'

// Events and tables of features, for the layers below them. It imports nothing above core, so that
// the store and every other layer can read it.

/** Every type of event there is. A published type never changes its meaning. */
export const eventDefinitions = {
  ...callEvents,
  ...approvalEvents,
  ...questionEvents,
  ...toolEvents,
  ...authoringEvents,
  ...mcpServerEvents,
  ...apiEvents,
  ...secretEvents,
  ...keyEvents,
  ...policyEvents,
  ...networkEvents,
  ...agentEvents,
  ...skillEvents,
  ...conversationEvents,
  ...tenantEvents,
  ...memberEvents,
  ...limitEvents,
  ...sessionEvents,
  ...scheduleEvents,
  ...uploadEvents,
  ...workspaceEvents,
  ...auditEvents,
  ...backupEvents,
  ...sandboxEvents,
}

/** The payload of each event type. */
export type Payloads = PayloadsOf<typeof eventDefinitions>

declare module '../core/events/event.ts' {
  interface EventPayloads extends Payloads {}
}

/**
 * Every table of a feature, in the order in which the rows of a deleted tenant go: first what lets
 * somebody in, and what belongs to a row before that row.
 */
export const featureTables: readonly TableSpec<keyof FeatureTables>[] = [
  ...keyTables,
  ...signInTables,
  ...memberTables,
  ...secretTables,
  ...mcpServerTables,
  ...scheduleTables,
  ...skillTables,
  ...workspaceTables,
  ...apiTables,
  ...questionTables,
  ...versionTables,
  ...conversationTables,
  ...uploadTables,
  ...usageTables,
  ...limitTables,
  ...approvalTables,
  ...sessionFlagTables,
  ...foundToolTables,
  ...catalogueTables,
  ...tenantsTables,
]

export interface FeatureTables
  extends
    ConversationTables,
    CatalogueTables,
    TenantsTables,
    MemberTables,
    SignInTables,
    KeyTables,
    SecretTables,
    McpServerTables,
    SessionFlagTables,
    FoundToolTables,
    LimitTables,
    UsageTables,
    WorkspaceTables,
    ScheduleTables,
    SkillTables,
    UploadTables,
    ApprovalTables,
    ApiTables,
    QuestionTables,
    VersionTables {}

/** Migrations of features. */
export const featureMigrations: Migrations = {
  ...workspaceMigrations,
  ...apiMigrations,
  ...questionMigrations,
  ...versionMigrations,
}
