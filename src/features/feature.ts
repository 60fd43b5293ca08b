import type { CompletionDoor } from '../core/async/completion.ts'
import type { ChatDoor, ConversationApi } from '../core/conversations/conversation-api.ts'
import type { ConversationFor } from '../core/conversations/conversation-for.ts'
import type { EventDoor } from '../core/events/event-door.ts'
import type { EventFeed } from '../core/events/event-feed.ts'
import type { CallResult, Caller } from '../core/kernel/call.ts'
import type { CallRequest } from '../core/kernel/call-request.ts'
import type { Host } from '../core/host/host.ts'
import type { LibrarySource } from '../core/library/library-api.ts'
import type { Offers } from '../core/offer/tool-offer.ts'
import type { OpenOperation } from '../core/operations/run-operation.ts'
import type { RoleBook } from '../core/people/role-book.ts'
import type { CapabilityMap } from '../core/pipeline/capabilities/capability.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import type { Scope } from '../core/policy/scope.ts'
import type { Store } from '../core/ports.ts'
import type { TenantRules } from '../core/rules/tenant-rules.ts'
import type { SignInDoor } from '../core/sign-in/sign-in.ts'
import type { ToolSource } from '../core/sources/tool-source.ts'
import type { ToolFileProblem } from '../core/tools/tool-listing.ts'
import type { Sweep } from '../core/work-ports.ts'
import type { Engine } from '../store/engine/engine.ts'
import type { WaitForCall } from './calls/parts.ts'
import type { ExplainConfig, FindPrincipal } from './explain/parts.ts'
import type { NamedLimit } from './limits/schemas.ts'
import type { DeclaredServers } from './mcp-servers/find-server.ts'
import type { McpPort } from './mcp-servers/parts.ts'
import type { SettingsConfig } from './settings/operations.ts'
import type { OpenSkills } from './skills/parts.ts'
import type { UploadBounds } from './uploads/config.ts'

/** The parts of the configuration that features read. */
export interface FeatureConfig extends ExplainConfig, SettingsConfig {
  readonly limits: { readonly rules: readonly NamedLimit[] }
  readonly uploads: UploadBounds
  readonly mcpServers: DeclaredServers
}

/** The parts of the server that a feature may use. */
export interface Kernel {
  // Storage
  readonly store: Store
  /** The database, for the feature's own tables. */
  readonly engine: Engine
  /** The event log, read once however many follow it. */
  readonly feed: EventFeed
  /** The time that decides; the same on every node. */
  now(): number

  // Calls
  readonly ports: PipelinePorts
  /** Calls a tool as a door does. Never rejects. */
  call(request: CallRequest): Promise<CallResult>
  readonly waitForCall: WaitForCall
  /** What callers are offered. */
  readonly offers: Offers

  // Rules and rights
  readonly rules: TenantRules
  readonly roles: RoleBook
  readonly skills: OpenSkills
  /** What decides for a caller who is here now. */
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
  /** The gateway, and what its servers need of the crib. */
  readonly mcp: McpPort
  /** Tool files that do not load now. */
  fileProblems(): readonly ToolFileProblem[]
  /** Runs the queued work of a tenant that was suspended. */
  rouse(tenant: string): Promise<void>

  // This process
  /** This machine, as far as tools may use it. */
  readonly host: Host
  readonly config: FeatureConfig
  readonly env: Readonly<Record<string, string | undefined>>
  /** The data folder, absolute. */
  readonly data: string
  /** Of the product. */
  readonly version: string
  onWarning(message: string): void

  /** Ends what other features keep for a deleted agent. */
  dropAgent(caller: Caller, slug: string): Promise<void>
}

/** What `src/agents` does for features. */
export interface AgentsPort {
  readonly conversations: ConversationApi
  readonly conversationFor: ConversationFor
}

/** What doors use of features beside their operations. */
export type FeatureDoors = SignInDoor & ChatDoor & EventDoor & CompletionDoor

/** A feature that has been opened. Whatever it leaves out, it does not have. */
export interface OpenFeature {
  /** Its operations, which have what they need to run. */
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
  /** Work that is done again and again, on every node that takes work from the queue. */
  sweeps?: readonly Sweep[]
  /** Begins to work by itself. Not called in a command that only looks: it leaves that to a server. */
  start?(): void
  /** Ends what hangs on an agent that was deleted, so that the next of its name gets none of it. */
  dropAgent?(caller: Caller, slug: string): Promise<void>
  /** Starts nothing more; resolves when running work is recorded. */
  stop?(): Promise<void>
  /** After the last call has settled. */
  close?(): Promise<void>
}

/** A noun of the platform. */
export interface Feature {
  readonly name: string
  open(kernel: Kernel): OpenFeature
}
