import type { CallResult, Caller } from '../core/kernel/call.ts'
import type { CallRequest } from '../core/kernel/call-request.ts'
import type { ChatDoor, ConversationApi } from '../core/conversations/conversation-api.ts'
import type { EventDoor } from '../core/events/event-door.ts'
import type { EventFeed } from '../core/events/event-feed.ts'
import type { OpenOperation } from '../core/operations/run-operation.ts'
import type { RoleBook } from '../core/people/role-book.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import type { Store } from '../core/ports.ts'
import type { TenantRules } from '../core/rules/tenant-rules.ts'
import type { Sweep } from '../core/work-ports.ts'
import type { Engine } from '../store/engine/engine.ts'
import type { SignInDoor } from '../core/sign-in/sign-in.ts'
import type { WaitForCall } from './calls/parts.ts'
import type { NamedLimit } from './limits/schemas.ts'
import type { ExplainConfig, FindPrincipal } from './explain/parts.ts'
import type { SettingsConfig } from './settings/operations.ts'
import type { DeclaredServers } from './mcp-servers/find-server.ts'
import type { McpPort } from './mcp-servers/parts.ts'
import type { Offers } from '../core/offer/tool-offer.ts'
import type { Scope } from '../core/policy/scope.ts'
import type { ToolFileProblem } from '../core/tools/tool-listing.ts'
import type { UploadBounds } from './uploads/receive-file.ts'

/** What features read of the configuration. */
export interface FeatureConfig extends ExplainConfig, SettingsConfig {
  readonly limits: { readonly rules: readonly NamedLimit[] }
  readonly uploads: UploadBounds
  readonly mcpServers: DeclaredServers
}

/** What a feature may use of the crib that opens it. */
export interface Kernel {
  readonly store: Store
  /** The database, for the feature's own tables. */
  readonly engine: Engine
  readonly ports: PipelinePorts
  /** The event log, read once however many follow it. */
  readonly feed: EventFeed
  readonly offers: Offers
  /** What decides for a caller who is here now. */
  scopeFor(caller: Caller): Scope | Promise<Scope>
  readonly findPrincipal: FindPrincipal
  /** What agents do, on any node. */
  readonly conversations: ConversationApi
  /** The gateway, and what its servers need of the crib. */
  readonly mcp: McpPort
  /** Tool files that do not load now. */
  fileProblems(): readonly ToolFileProblem[]
  /** Of the product. */
  readonly version: string
  readonly rules: TenantRules
  readonly roles: RoleBook
  readonly config: FeatureConfig
  /** The data folder, absolute. */
  readonly data: string
  /** Starts work by itself. False for a command that only looks: it leaves that to a server. */
  readonly isServer: boolean
  /** The time that decides; the same on every node. */
  now(): number
  call(request: CallRequest): Promise<CallResult>
  readonly waitForCall: WaitForCall
  /** The agent that a change is for. Throws not_found for one that the tenant does not have. */
  findAgentFor(caller: Caller, asked: string | undefined): Promise<string | undefined>
  readonly env: Readonly<Record<string, string | undefined>>
  /** False for a tenant that does not exist; throws tenant_suspended. */
  isTenantOpen(slug: string): Promise<boolean>
  /** What a key may do now; undefined once it is revoked or expired, or its owner may no longer act. */
  keyPermissions(tenant: string, id: string): Promise<readonly string[] | undefined>
  /** Runs the queued work of a tenant that was suspended. */
  rouse(tenant: string): Promise<void>
  /** Ends what every feature keeps for a deleted agent. */
  dropAgent(caller: Caller, slug: string): Promise<void>
  onWarning(message: string): void
}

/** What doors use of features beside their operations. */
export type FeatureDoors = SignInDoor & ChatDoor & EventDoor

/** A feature that has been opened. */
export interface OpenFeature {
  /** Its operations, which have what they need to run. */
  operations: Readonly<Record<string, OpenOperation>>
  /** What doors use of it beside the operations: streams, and what comes before there is a caller. */
  door?: Partial<FeatureDoors>
  /** What a server does again and again for it. */
  sweeps?: readonly Sweep[]
  /** Ends what hangs on an agent that was deleted, so that the next of its name gets none of it. */
  dropAgent?(caller: Caller, slug: string): Promise<void>
  /** Starts nothing more; resolves when what is under way is written down. */
  stop?(): Promise<void>
}

/** A noun of the platform. */
export interface Feature {
  readonly name: string
  open(kernel: Kernel): OpenFeature
}
