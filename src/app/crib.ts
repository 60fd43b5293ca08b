import type { Experimental_SandboxSession } from 'ai'
import type { CribToolSet, ToolSetOptions } from '../doors/sdk/create-tool-set.ts'
import type { Groups } from '../core/async/groups.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { CallPreview } from '../core/kernel/trial/tool-preview.ts'
import type { CallRequest } from '../core/kernel/call-request.ts'
import type { ToolDetail, ToolListing, ToolQuery } from '../core/tools/tool-listing.ts'
import type { CribApprovals, CribCalls } from '../core/crib-functions.ts'
import type { CribEvent } from '../core/events/event.ts'
import type { EventQuery } from '../core/events/event-log.ts'
import type { Explanation } from '../core/policy/scope.ts'
import type { OpenStores } from '../features/open-stores.ts'
import type { Runtime, Tool } from '../core/kernel/tool.ts'
import type { ToolPort } from '../core/offer/tool-port.ts'
import type { TestReport } from '../core/trials/run-tests.ts'
import type { EvalReport } from '../features/evals/eval-report.ts'
import type { TypedCallResult } from '../core/typing/call-result.ts'
import type {
  CallableTool,
  CallArguments,
  InputOf,
  OutputOf,
  ToolName,
} from '../core/kernel/callable-tool.ts'
import type { Upload, UploadRequest } from '../core/uploads/upload.ts'
import type { ConfigInput } from '../core/typing/config-input.ts'
import type { Reload } from './loader/create-loader.ts'

/** Options of a crib. Everything has a default. */
export interface CribOptions {
  /** A configuration file, its folder, or the configuration itself. */
  config?: string | ConfigInput
  /** The folder that relative paths start from; defaults to the current one. */
  cwd?: string
  /** The data folder; `.toolcrib` in `cwd`. */
  data?: string
  /** A PostgreSQL URL instead of the embedded store. */
  database?: string
  /**
   * Folders with `*.tool.ts`, and tools themselves. Defaults to the configured ones, else
   * `./tools`.
   */
  tools?: readonly (string | Tool)[]
  /** Reload tools when their files change. */
  watch?: boolean
  /** The environment variables for tools and the configuration; defaults to `process.env`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Called when tool files have been reloaded, with `watch`. */
  onReload?: (reload: Reload & { durationMs: number }) => void
  /** Called with warnings that do not keep the crib from opening; defaults to stderr. */
  onWarning?: (message: string) => void
  /** An open store to use instead of opening one; it is not closed with the crib. */
  store?: OpenStores
  /** How `crib.fetch` serves. */
  http?: CribHttpOptions
  /** Overrides the current time for schedules; for tests. */
  now?: () => number
}

/** How `crib.fetch` serves. */
export interface CribHttpOptions {
  /**
   * The path in your app, such as `/crib`: then `/crib/api/v1` and `/crib/mcp`. Default: the root.
   */
  basePath?: string
  /** Also serve the console. Requires the root of a host. Default: `false`. */
  console?: boolean
}

/** The caller of library calls; defaults to the owner of the default tenant. */
export interface CallAs {
  tenant?: string
  agent?: string
  /** The active skill of the agent: its permissions narrow the tools that can be used. */
  skill?: string
  sessionId?: string
  runtime?: Runtime
  /** The permissions of the caller; defaults to all. */
  permissions?: readonly string[]
}

/** The same, as a certain person who decides an approval. */
export type PersonAs = CallAs & {
  /** The id of the person; defaults to `owner`. */
  user?: string
}

export type CallOptions = CallAs &
  Pick<
    CallRequest,
    | 'idempotencyKey'
    | 'timeoutMs'
    | 'respondAsync'
    | 'priority'
    | 'durable'
    | 'signal'
    | 'onOutput'
    | 'groupId'
  > & {
    /**
     * Wait up to this many seconds for a call that is queued or waits for somebody; `true`: without
     * limit.
     */
    wait?: number | true
    /** Delay the start by this many seconds. */
    delay?: number
  }

/** Which evals to run, and how. */
export interface EvalQuery extends CallAs {
  /** Only tools and agents that match, such as `billing.*` or `agent:support`. */
  pattern?: string
  /** Models in place of the agent's own. */
  models?: readonly string[]
  /** Of each eval with each model (1). */
  runs?: number
  signal?: AbortSignal
}

export type PreviewOptions = CallAs & Pick<CallRequest, 'timeoutMs' | 'signal'>

/** The caller of the tools, and the person who answers approvals. */
export type PortAs = CallAs & {
  /**
   * The person who answers in the conversation. Answers given there approve or deny as this person,
   * in the same tenant, if they are allowed to. If absent, approvals are decided elsewhere.
   */
  approver?: PersonAs
}

/** Tools for a run of a model, with their caller and conversation. */
export type ToolSetFor = PortAs & ToolSetOptions

/** A crib in this process. */
export interface Crib {
  /**
   * Calls a tool: what `defineTool` returned, or a name. Never rejects: failures are in the result.
   * The input is checked and the output typed for tools that `defineTool` returned, and for names
   * once `toolcrib types` has generated their types.
   */
  call<const T extends CallableTool | ToolName>(
    tool: T,
    ...given: CallArguments<InputOf<T>, CallOptions>
  ): Promise<TypedCallResult<OutputOf<T>>>
  /**
   * Shows what a call would do, without doing it. Throws for a tool that has no preview, and what the
   * preview throws.
   */
  preview<const T extends CallableTool | ToolName>(
    tool: T,
    ...given: CallArguments<InputOf<T>, PreviewOptions>
  ): Promise<CallPreview>
  /** Runs the tests in the definitions of tools, or of those whose names match, such as `billing.*`. */
  runTests(pattern?: string, as?: CallAs): Promise<TestReport[]>
  /**
   * Runs the evals in the definitions of tools and agents: gives their requests to models, and
   * compares the calls that these make with the expected ones. Nothing has an effect.
   */
  runEvals(query?: EvalQuery): Promise<EvalReport[]>
  /**
   * Uploads a file; its `uri` is the value of a file field of an input. Kept for a day, or as long
   * as a call that uses it.
   */
  upload(file: UploadRequest, as?: CallAs): Promise<Upload>
  /** The tools that this caller sees, sorted by name. */
  tools(query?: CallAs & ToolQuery): Promise<ToolListing[]>
  /** One tool with its schemas. Throws `tool_not_found`. */
  tool(tool: CallableTool | ToolName, as?: CallAs): Promise<ToolDetail>
  /** Every tool with every layer's verdict for this caller. */
  explain(query?: CallAs & { tool?: string }): Promise<Explanation[]>
  /** Events, oldest first, up to now; with `follow`, new ones are added until the signal aborts. */
  events(
    query?: CallAs & Partial<EventQuery> & { follow?: boolean; signal?: AbortSignal },
  ): AsyncIterable<CribEvent>
  /** The record of calls. */
  readonly calls: CribCalls<CallAs>
  /** Calls that wait for a person, and functions to decide them. */
  readonly approvals: CribApprovals<PersonAs>
  /** This crib as one caller sees it: the basis of tools for other SDKs. */
  port(as?: PortAs): ToolPort
  /** The tools that this caller may use, for the AI SDK. */
  toolSet(options?: ToolSetFor): Promise<CribToolSet>
  /**
   * The workspace and sandbox of a session, for `experimental_sandbox` of the AI SDK. Commands and
   * files go through calls of the tools `shell.exec`, `process.*` and `file.*`, as this caller.
   */
  sandbox(as: CallAs & { sessionId: string }): Experimental_SandboxSession
  /**
   * Answers an HTTP request as `toolcrib start` does: `/api/v1`, `/mcp`, `/openapi.json`, and the
   * console if `http.console` is set. For Hono, Next, Node's http and any other framework with
   * `Request` and `Response`. Callers need a key: `toolcrib keys create`.
   */
  fetch(request: Request): Promise<Response>
  /** Groups of calls that are awaited together: the mechanism behind an agent's turn. */
  readonly groups: Groups
  /** Everything that a door needs, for embedding one. */
  readonly api: CribApi
  /** Lets running calls finish, writes pending records, and closes the store. */
  close(): Promise<void>
}
