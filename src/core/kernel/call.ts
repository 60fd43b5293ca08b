import type { ArtifactReference } from './artifact-reference.ts'
import type { CallArtifacts } from './context/call-artifacts.ts'
import type { Code } from './context/code.ts'
import type { Pages } from './context/pages.ts'
import type { Processes } from './context/processes.ts'
import type { ToolAuthoring } from './context/tool-authoring.ts'
import type { QuestionAsker } from './context/question-asker.ts'
import type { Web } from './context/web.ts'
import type { Workspace } from './context/workspace.ts'
import type { CallerClient } from './context/caller-client.ts'
import type {
  AgentStarter,
  AttachmentReader,
  ModelAccess,
  ModelQuestions,
  StateKeeper,
} from './context/call-conversation.ts'
import type { ErrorCode, Issue } from './errors.ts'
import type { JsonValue } from './json.ts'
import type { Runtime } from './runtime.ts'
import type { ToolMode } from './meta-tools.ts'
import type { ToolFinder } from './context/tool-finder.ts'
import type { SkillReader } from './context/skill-reader.ts'
import type { CallableTool, InputArgument, InputOf, OutputOf, ToolName } from './callable-tool.ts'
import type { AnyNeeds, ToolNeeds } from './tool-needs.ts'
import type { CallFiles } from './context/call-file.ts'

export type CallStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'cancelled'

/**
 * The reason a call waits: for a person, for an external worker, or for a call it made that waits
 * itself.
 */
export type WaitingFor = 'approval' | 'external' | 'call'

/** Why a call has no effect: it shows what another would do, or tests a tool. */
export type CallPurpose = 'preview' | 'test'

export type SettledStatus = 'completed' | 'failed' | 'denied' | 'cancelled'

/** The user, key or system that is responsible for a call. */
export interface Principal {
  kind: 'user' | 'key' | 'agent' | 'worker' | 'embed' | 'system'
  id: string
}

/** The caller's identity and origin: every door must know these before it calls anything. */
export interface Caller {
  tenant: string
  principal: Principal
  /** `resource.action` patterns the principal holds; `*` for an owner. */
  permissions: readonly string[]
  runtime: Runtime
  /** The tenant it belongs to, when it acts in another one. */
  home?: string
  agent?: string
  /** How it discovers tools, when set for this caller; otherwise the agent's setting applies. */
  toolMode?: ToolMode
  /** Agents above this one, nearest first; policy narrows at every step. */
  parents?: readonly string[]
  /** The agent's active skill: its permissions narrow what may be used. */
  skill?: string
  sessionId?: string
  /** The principal this caller acts for, such as the owner of a schedule. */
  onBehalfOf?: Principal
  /** The sign-in of the browser that made the request. */
  signInId?: string
  /**
   * For an API key: the person who owns it. Approvals count people, however many keys they have.
   */
  person?: Principal
}

export interface CallError {
  code: ErrorCode
  message: string
  retryable: boolean
  issues?: readonly Issue[]
  fix?: string
  /** How long to wait before retrying: the limit has capacity again then. */
  retryAfterMs?: number
  /** For `tool_not_found`: the id by which authorised users look up the reason in explain. */
  refusalId?: string
}

/**
 * The one shape in which every call ends, for every caller and tool. Without a `callId` the request
 * was refused before a call existed (unknown tool, invalid input, limits).
 */
export interface CallResult {
  callId?: string
  status: CallStatus
  output?: JsonValue
  error?: CallError
  artifact?: ArtifactReference
  warnings?: readonly string[]
  /** For a waiting call: what it waits for. */
  waitingFor?: WaitingFor
  /** For a call that needs approval: the approval to decide. */
  approvalId?: string
}

/** The layer and rule that decided about a call, stored with it. */
export interface Decision {
  verdict: 'allow' | 'ask' | 'deny'
  layer: string
  rule: string
  /** Every rule that asks or denies; empty when the call is allowed. */
  reasons: readonly string[]
  /** A `log` hook matches the tool: the recorder marks the call. */
  logged?: boolean
}

/** A stored call, as returned by `GET /calls/{id}`. */
export interface CallRecord extends CallResult {
  callId: string
  tenant: string
  tool: string
  /** The version of the tool that ran it; absent for calls made before versions were recorded. */
  toolVersion?: string
  input: JsonValue
  agent?: string
  /** The skill that was active. */
  skill?: string
  principal: Principal
  runtime: Runtime
  sessionId?: string
  parentId?: string
  /** Absent for calls that do their work. */
  purpose?: CallPurpose
  /** The call that this one undoes. */
  undoes?: string
  /** The call that this one runs again. */
  rerunOf?: string
  /** The step from which; before it, results of the other call were kept. */
  rerunFrom?: string
  /** Which step of its parent it is, such as `find` or `notes/3`. */
  stepKey?: string
  attempt: number
  decision?: Decision
  /** The final cost in units; absent when it was free. */
  cost?: number
  requestedAt: string
  startedAt?: string
  settledAt?: string
}

/** Progress that a running tool reports. `text` is appended to the call's running text output. */
export interface Progress {
  done?: number
  total?: number
  message?: string
  text?: string
}

/** How an external worker ends a call: `POST url` with `Authorization: Bearer token`. */
export interface Completion {
  url: string
  /** Valid for this call only, once. */
  token: string
  /** ISO time; after it the call fails with `timeout`. */
  expiresAt: string
}

/**
 * Members of the context that are created when a tool first reads them, each by the capability of
 * that name (`core/pipeline/capabilities`), which `app` provides.
 */
export interface CallCapabilities {
  /** Searches all tools that the caller may use. */
  readonly tools: ToolFinder
  /** The skills that the calling agent has enabled. */
  readonly skills: SkillReader
  /** Starts agents; for external tools. */
  readonly agents?: AgentStarter | undefined
  /** State that tools keep in the conversation; undefined outside a conversation. */
  readonly state?: StateKeeper | undefined
  /** The files that the input of this call names or contains. */
  readonly files: CallFiles
  /** Files attached to the conversation. */
  readonly attachments?: AttachmentReader | undefined
  /** The model of the calling agent; undefined when the caller is not an agent. */
  readonly model?: ModelAccess | undefined
  /** Models of agents and of the configuration, for tools that ask them. */
  readonly models: ModelQuestions
  /** The files of this session's workspace. */
  readonly workspace: Workspace
  /** Programs in the sandbox of this session. */
  readonly processes: Processes
  /** The network, as far as the rules allow this tool to reach it. */
  readonly web: Web
  /** As the global `fetch`, through the same guard as `web`. */
  readonly fetch: Web['fetch']
  /** Turns HTML into text that models read. */
  readonly pages: Pages
  /** Runs programs that nobody trusts. */
  readonly code: Code
  /** Keeps files beside the output of this call. */
  readonly artifacts: CallArtifacts
  /** Makes tools that are documents; for `tools.manage` only. */
  readonly authoring: ToolAuthoring
  /** Puts questions to people; for external tools. */
  readonly questions: QuestionAsker
}

/**
 * The second argument of a tool. Capabilities arrive here, so that a guard can't be forgotten.
 * Destructure it, but don't copy it: a spread (`{ ...ctx }`) has only the plain fields, such as
 * `callId` and `secrets`, and none of the functions and capabilities.
 */
export interface CallContext<Needs extends ToolNeeds = AnyNeeds> extends CallCapabilities {
  tenant: string
  agent: string | undefined
  principal: Principal
  sessionId: string | undefined
  runtime: Runtime
  callId: string
  /** Aborted at the deadline, on cancellation, and when the server drains. */
  signal: AbortSignal
  /** The declared secrets only. An optional one that is not set is absent. */
  secrets: Needs['secrets']
  /** The declared environment variables only. */
  env: Needs['env']
  /**
   * The operator's settings for this agent, validated by the tool's `optionsSchema`; its defaults
   * otherwise.
   */
  options: Needs['options']
  /** For tools with `execution: 'external'`: pass it to the worker. */
  completion: Completion | undefined
  /** Fields for the audit record of this call. */
  log(fields: Readonly<Record<string, JsonValue>>): void
  progress(progress: Progress): void
  /** Reports what this call has cost so far, in units; amounts add up, even if the call fails. */
  cost(units: number): void
  /**
   * Calls another tool, by its name or by what `defineTool` returned: same caller, same chain, same
   * policy, own record. Throws a ToolError unless it completes. If that call has to wait for a
   * person or an external worker, this tool is stopped and stored, and run again from the beginning
   * once the result is available; calls it has already made are not repeated. Only repeatable tools
   * (reads, `idempotent: true`) can wait this way.
   */
  call<const T extends CallableTool | ToolName>(
    tool: T,
    ...input: InputArgument<InputOf<T>>
  ): Promise<OutputOf<T>>
  /** The calling client, if it can be asked questions while the call runs; otherwise undefined. */
  readonly client: CallerClient | undefined
}
