import type { Groups } from '../core/async/groups.ts'
import type { CompletionDoor } from '../core/async/completion.ts'
import type { ChatDoor, ConversationApi } from '../core/conversations/conversation-api.ts'
import type { ConversationFor } from '../core/conversations/conversation-for.ts'
import type { EventDoor } from '../core/events/event-door.ts'
import type { EventFeed } from '../core/events/event-feed.ts'
import type { CallResult, Caller } from '../core/kernel/call.ts'
import type { Host } from '../core/host/host.ts'
import type { LibrarySource } from '../core/library/library-api.ts'
import type { Offers } from '../core/offer/tool-offer.ts'
import type { OpenOperation } from '../core/operations/run-operation.ts'
import type { RoleBook } from '../core/people/role-book.ts'
import type { CapabilityMap } from '../core/pipeline/capabilities/capability.ts'
import type { ChainedRequest } from '../core/pipeline/chained-request.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import type { Scope } from '../core/policy/scope.ts'
import type { Stores } from './stores.ts'
import type { TenantRules } from '../core/rules/tenant-rules.ts'
import type { SignInDoor } from '../core/sign-in/sign-in.ts'
import type { ToolSource } from '../core/sources/tool-source.ts'
import type { ToolFileProblem } from '../core/tools/tool-listing.ts'
import type { EvalPort } from '../core/trials/evals/eval-outcome.ts'
import type { Sweep } from '../core/work-ports.ts'
import type { Engine } from '../store/engine/engine.ts'
import type { WebhookConfig } from './approvals/outbox/open-outbox.ts'
import type { ApiReader } from './apis/api-reader.ts'
import type { CodeConfig } from './code/config.ts'
import type { WaitForCall } from './calls/parts.ts'
import type { ExplainConfig, FindPrincipal } from './explain/parts.ts'
import type { AuthoringConfig } from './authoring/config.ts'
import type { NamedLimit } from './limits/schemas.ts'
import type { DeclaredServers } from './mcp-servers/find-server.ts'
import type { McpPort } from './mcp-servers/parts.ts'
import type { NetworkConfig } from './network/config.ts'
import type { NetworkAccess } from './network/network-access.ts'
import type { SettingsConfig } from './settings/operations.ts'
import type { OpenSkills } from './skills/parts.ts'
import type { UploadBounds } from './uploads/config.ts'
import type { WorkspacesConfig } from './workspaces/config.ts'
import type { OpenWorkspaces } from './workspaces/open-workspaces.ts'

/** The parts of the configuration that features read. */
export interface FeatureConfig extends ExplainConfig, SettingsConfig {
  readonly limits: { readonly rules: readonly NamedLimit[] }
  readonly uploads: UploadBounds
  readonly workspaces: WorkspacesConfig
  readonly mcpServers: DeclaredServers
  readonly network: NetworkConfig
  /** Tenants for which the configuration declares APIs. */
  readonly apiTenants: readonly string[]
  readonly code: CodeConfig
  readonly authoring: AuthoringConfig
  readonly approvals: SettingsConfig['approvals'] & {
    readonly webhook?: WebhookConfig | undefined
  }
  readonly catalogue: { readonly keepDays: number }
}

/** The parts of the server that a feature may use. */
export interface Kernel {
  // Storage
  readonly store: Stores
  /** The database, for the feature's own tables. */
  readonly engine: Engine
  /** The event log, read once for all its followers. */
  readonly feed: EventFeed
  /** The time that decides; the same on every node. */
  now(): number

  // Calls
  readonly ports: PipelinePorts
  /** Calls a tool as a door does. Never rejects. */
  call(request: ChainedRequest): Promise<CallResult>
  readonly waitForCall: WaitForCall
  /** Calls that something waits for together. */
  readonly groups: Pick<Groups, 'sweep' | 'expire'>
  /** The tools offered to callers. */
  readonly offers: Offers

  // Rules and rights
  readonly rules: TenantRules
  readonly roles: RoleBook
  readonly skills: OpenSkills
  /** The scope that decides about this caller now. */
  scopeFor(caller: Caller): Scope | Promise<Scope>
  readonly findPrincipal: FindPrincipal
  /** False for a tenant that does not exist; throws tenant_suspended. */
  isTenantOpen(slug: string): Promise<boolean>
  /**
   * The current permissions of a key; undefined once it is revoked or expired, or its owner may no
   * longer act.
   */
  keyPermissions(tenant: string, id: string): Promise<readonly string[] | undefined>

  // Layers that features do not import
  /** Turns of agents, on any node. */
  readonly agents: AgentsPort
  /** The gateway, and the functions that its servers need. */
  readonly mcp: McpPort
  /** Tool files that currently fail to load. */
  fileProblems(): readonly ToolFileProblem[]
  /** Runs the queued work of a tenant that was suspended. */
  rouse(tenant: string): Promise<void>

  // This process
  /** The parts of this machine that tools may use. */
  readonly host: Host
  /** The folders in which tools work. */
  readonly workspaces: OpenWorkspaces
  /** The network of the host, as rules allow it. */
  readonly network: NetworkAccess
  /** Reads documents of APIs beside the main thread. */
  readonly apiReader: ApiReader
  readonly config: FeatureConfig
  readonly env: Readonly<Record<string, string | undefined>>
  /** The address under which people reach this server. */
  publicUrl(): string
  /** The data folder, absolute. */
  readonly data: string
  /** The version of Toolcrib. */
  readonly version: string
  onWarning(message: string): void

  /** Removes everything other features keep for a deleted agent. */
  dropAgent(caller: Caller, slug: string): Promise<void>
}

/** The functions of `src/agents` that features use. */
export interface AgentsPort {
  readonly conversations: ConversationApi
  readonly conversationFor: ConversationFor
  readonly evals: EvalPort
}

/** The functions of features that doors use in addition to operations. */
export type FeatureDoors = SignInDoor & ChatDoor & EventDoor & CompletionDoor

/** An open feature. Omitted members are absent. */
export interface OpenFeature {
  /** Its operations, ready to run. */
  operations: Readonly<Record<string, OpenOperation>>
  /**
   * The parts that doors use in addition to the operations: streams, and requests without a caller.
   */
  door?: Partial<FeatureDoors>
  /** Tools that it brings in. */
  sources?: readonly ToolSource[]
  /** Members of `ctx` that it provides. */
  capabilities?: Partial<CapabilityMap>
  /** Prompts and resources that it has. */
  library?: readonly LibrarySource[]
  /** Periodic work, on every node that takes work from the queue. */
  sweeps?: readonly Sweep[]
  /** Starts background work. Not called by commands that only read: a server does that work. */
  start?(): void
  /** Ends everything that depends on a deleted agent, so that a new agent of the same name does not inherit it. */
  dropAgent?(caller: Caller, slug: string): Promise<void>
  /** Starts no new work; resolves when running work is recorded. */
  stop?(): Promise<void>
  /** After the last call has settled. */
  close?(): Promise<void>
}

/** A noun of the platform. */
export interface Feature {
  readonly name: string
  open(kernel: Kernel): OpenFeature
}
