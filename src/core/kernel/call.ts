import type { CallerClient } from './context/caller-client.ts'
import type {
  AgentDesk,
  AttachmentReader,
  ModelAccess,
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

/** For whom a waiting call waits: a person, a worker outside, or a call it made that waits itself. */
export type WaitingFor = 'approval' | 'external' | 'call'

export type SettledStatus = 'completed' | 'failed' | 'denied' | 'cancelled'

/** Who is responsible for a call. */
export interface Principal {
  kind: 'user' | 'key' | 'agent' | 'worker' | 'embed' | 'system'
  id: string
}

/** Who calls, from where: what every door must know before it may call anything. */
export interface Caller {
  tenant: string
  principal: Principal
  /** `resource.action` patterns the principal holds; `*` for an owner. */
  permissions: readonly string[]
  runtime: Runtime
  /** The tenant it belongs to, where it acts in another. */
  home?: string
  agent?: string
  /** How it gets to know its tools, where that is said for it; otherwise as its agent says. */
  toolMode?: ToolMode
  /** Agents above this one, nearest first; policy narrows at every step. */
  parents?: readonly string[]
  /** The skill of the agent that is in force: its permissions narrow what may be used. */
  skill?: string
  sessionId?: string
  /** Who said what is to be done, where something acts for them: whoever wrote a schedule. */
  onBehalfOf?: Principal
  /** The signed-in browser it came from. */
  signInId?: string
  /** Of an API key: the person it belongs to. Approvals count people, however many keys they have. */
  person?: Principal
}

export interface CallError {
  code: ErrorCode
  message: string
  retryable: boolean
  issues?: readonly Issue[]
  fix?: string
  /** Not before so long from now: a limit has room again then. */
  retryAfterMs?: number
  /** Of `tool_not_found`: what explain answers the reason for, to those who may ask. */
  refusalId?: string
}

/** The full output of a call whose answer was cut: read it in pages. */
export interface ArtifactReference {
  id: string
  bytes: number
  mediaType: string
}

/**
 * The one shape in which every call ends, whoever called and whatever the tool did. Without a
 * `callId` the request was refused before there was a call (unknown tool, invalid input, limits).
 */
export interface CallResult {
  callId?: string
  status: CallStatus
  output?: JsonValue
  error?: CallError
  artifact?: ArtifactReference
  warnings?: readonly string[]
  /** Of a call that waits: for whom. */
  waitingFor?: WaitingFor
  /** Of a call that a person was asked about: the approval to decide on. */
  approvalId?: string
}

/** Which layer and rule decided about a call, kept with it. */
export interface Decision {
  verdict: 'allow' | 'ask' | 'deny'
  layer: string
  rule: string
  /** Every rule that asks or denies; empty when it is allowed. */
  reasons: readonly string[]
  /** A `log` hook fits the tool: the recorder marks the call. */
  logged?: boolean
}

/** A call as stored and as `GET /calls/{id}` answers it. */
export interface CallRecord extends CallResult {
  callId: string
  tenant: string
  tool: string
  /** The version of the tool that ran it; absent in calls of before versions were recorded. */
  toolVersion?: string
  input: JsonValue
  agent?: string
  /** The skill that was in force. */
  skill?: string
  principal: Principal
  runtime: Runtime
  sessionId?: string
  parentId?: string
  attempt: number
  decision?: Decision
  /** What it cost in the end, in units; absent where it was free. */
  cost?: number
  requestedAt: string
  startedAt?: string
  settledAt?: string
}

/** What a tool may report while it runs. `text` is appended to the call's running text output. */
export interface Progress {
  done?: number
  total?: number
  message?: string
  text?: string
}

/** How somebody outside ends a call: `POST url` with `Authorization: Bearer token`. */
export interface Completion {
  url: string
  /** For this call alone, once. */
  token: string
  /** ISO time; afterwards the call has failed with `timeout`. */
  expiresAt: string
}

/**
 * The members of a context that are made when a tool first reads them. Each is made by the capability
 * of that name (`core/pipeline/capabilities`), which `app` provides.
 */
export interface CallCapabilities {
  /** All tools that the caller may use, by search. */
  readonly tools: ToolFinder
  /** The skills that the calling agent has turned on. */
  readonly skills: SkillReader
  /** Sending out agents, for external tools. */
  readonly agents?: AgentDesk | undefined
  /** What tools keep in the conversation; undefined where the call is in none. */
  readonly state?: StateKeeper | undefined
  /** The files that the input of this call names or holds. */
  readonly files: CallFiles
  /** Files that were said in the conversation. */
  readonly attachments?: AttachmentReader | undefined
  /** The model of the calling agent; undefined where no agent calls. */
  readonly model?: ModelAccess | undefined
}

/**
 * What a tool gets beside its input. Capabilities arrive here, so that a guard can't be forgotten.
 * Take members out of it, but don't copy it: a spread (`{ ...ctx }`) has only the plain fields, such
 * as `callId` and `secrets`, and none of the functions and capabilities.
 */
export interface CallContext<Needs extends ToolNeeds = AnyNeeds> extends CallCapabilities {
  tenant: string
  agent: string | undefined
  principal: Principal
  sessionId: string | undefined
  runtime: Runtime
  callId: string
  /** Aborted at the deadline, on cancel, and when the server drains. */
  signal: AbortSignal
  /** The declared keys only. An optional one that is not set is absent. */
  secrets: Needs['secrets']
  /** The declared environment variables only. */
  env: Needs['env']
  /** What the operator has set for this agent, as the tool's `optionsSchema` says; its defaults otherwise. */
  options: Needs['options']
  /** Of tools with `execution: 'external'`: hand it to whoever does the work. */
  completion: Completion | undefined
  /** Fields for the audit record of this call. */
  log(fields: Readonly<Record<string, JsonValue>>): void
  progress(progress: Progress): void
  /** Reports what this call has cost so far, in units; amounts add up, also where the call fails. */
  cost(units: number): void
  /**
   * Calls another tool, by its name or by what `defineTool` returned: same caller, same chain, same policy, own record. Throws a ToolError when it does
   * not complete. Where it has to wait for a person or the outside, this tool is stopped here, kept
   * in storage, and run again from its beginning once the answer is there; calls it has made are
   * then not made again. Only tools that may be repeated (reads, `idempotent: true`) can wait so.
   */
  call<const T extends CallableTool | ToolName>(
    tool: T,
    ...input: InputArgument<InputOf<T>>
  ): Promise<OutputOf<T>>
  /** Whoever called, as far as it can be asked something meanwhile; undefined where nobody can be. */
  readonly client: CallerClient | undefined
}
