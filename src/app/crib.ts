import type { CribToolSet, ToolSetOptions } from '../doors/sdk/create-tool-set.ts'
import type { Groups } from '../core/async/groups.ts'
import type { CribApi } from '../features/crib-api.ts'
import type { CallRequest } from '../core/kernel/call-request.ts'
import type { ToolDetail, ToolListing, ToolQuery } from '../core/tools/tool-listing.ts'
import type { CribApprovals, CribCalls } from '../core/crib-functions.ts'
import type { CribEvent } from '../core/events/event.ts'
import type { EventQuery } from '../core/events/event-log.ts'
import type { Explanation } from '../core/policy/scope.ts'
import type { OpenStore } from '../store/open-store.ts'
import type { Runtime, Tool } from '../core/kernel/tool.ts'
import type { ToolPort } from '../core/offer/tool-port.ts'
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

/** What a crib is made of. Everything has a default. */
export interface CribOptions {
  /** A configuration file, the folder it lies in, or the configuration itself. */
  config?: string | ConfigInput
  /** The folder relative paths start from; the current one. */
  cwd?: string
  /** The data folder; `.toolcrib` in `cwd`. */
  data?: string
  /** A PostgreSQL URL instead of the embedded store. */
  database?: string
  /** Folders with `*.tool.ts`, and tools themselves. Without any: what the configuration names, else `./tools`. */
  tools?: readonly (string | Tool)[]
  /** Reload tools when their files change. */
  watch?: boolean
  /** The environment variables that tools and the configuration read; `process.env` unless given. */
  env?: Readonly<Record<string, string | undefined>>
  /** Called when files of tools were loaded again, with `watch`. */
  onReload?: (reload: Reload & { durationMs: number }) => void
  /** Called with everything that is odd but does not keep the crib from opening; stderr unless given. */
  onWarning?: (message: string) => void
  /** An open store to use instead of opening one; it is not closed with the crib. */
  store?: OpenStore
  /** How `crib.fetch` serves. */
  http?: CribHttpOptions
  /** What time it is, for schedules; the clock of this machine unless a test says otherwise. */
  now?: () => number
}

/** How `crib.fetch` serves. */
export interface CribHttpOptions {
  /** Where it stands in your app, such as `/crib`: then `/crib/api/v1` and `/crib/mcp`. The root unless given. */
  basePath?: string
  /** Serve the console as well. Needs the root of a host. Default: `false`. */
  console?: boolean
}

/** Who a library call is made for: the owner of the default tenant unless given. */
export interface CallAs {
  tenant?: string
  agent?: string
  /** A skill of the agent that is in force: its permissions narrow what may be used. */
  skill?: string
  sessionId?: string
  runtime?: Runtime
  /** What the caller may do; everything unless said. */
  permissions?: readonly string[]
}

/** The same, as a certain person: whoever decides on an approval. */
export type PersonAs = CallAs & {
  /** The id of the person; `owner` unless given. */
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
    /** Wait up to so many seconds for a call that is queued or waits for somebody; `true`: for ever. */
    wait?: number | true
    /** Start it so many seconds from now. */
    delay?: number
  }

/** As whom tools are used, and who answers. */
export type PortAs = CallAs & {
  /**
   * Who answers in the conversation: a yes or no there is then decided as this person, in the same
   * tenant, if they may. Without one, approvals are decided elsewhere.
   */
  approver?: PersonAs
}

/** Tools for a run of a model, as whom, and in which conversation. */
export type ToolSetFor = PortAs & ToolSetOptions

/** A crib in this process. */
export interface Crib {
  /**
   * Calls a tool: what `defineTool` returned, or a name. Never rejects: what goes wrong is in the
   * result. The input is checked and the output typed for tools that `defineTool` returned, and for
   * names once `toolcrib types` has written them down.
   */
  call<const T extends CallableTool | ToolName>(
    tool: T,
    ...given: CallArguments<InputOf<T>, CallOptions>
  ): Promise<TypedCallResult<OutputOf<T>>>
  /**
   * Hands a file in; its `uri` is what a file field of an input takes. Kept for a day, or as long as
   * a call that uses it.
   */
  upload(file: UploadRequest, as?: CallAs): Promise<Upload>
  /** The tools this caller sees, sorted by name. */
  tools(query?: CallAs & ToolQuery): Promise<ToolListing[]>
  /** One tool with its schemas. Throws `tool_not_found`. */
  tool(tool: CallableTool | ToolName, as?: CallAs): Promise<ToolDetail>
  /** Every tool with every layer's verdict for this caller. */
  explain(query?: CallAs & { tool?: string }): Promise<Explanation[]>
  /** What happened, oldest first, up to now; with `follow`, on and on until the signal aborts. */
  events(
    query?: CallAs & Partial<EventQuery> & { follow?: boolean; signal?: AbortSignal },
  ): AsyncIterable<CribEvent>
  /** The record of calls. */
  readonly calls: CribCalls<CallAs>
  /** Calls that wait for a person, and deciding on them. */
  readonly approvals: CribApprovals<PersonAs>
  /** This crib as one caller meets it: what tools for other SDKs are made of. */
  port(as?: PortAs): ToolPort
  /** The tools this caller may use, for the AI SDK. */
  toolSet(options?: ToolSetFor): Promise<CribToolSet>
  /**
   * Answers an HTTP request as `toolcrib start` does: `/api/v1`, `/mcp`, `/openapi.json`, and the
   * console where `http.console` says so. For Hono, Next, Node's http and whatever else knows
   * `Request` and `Response`. Callers need a key: `toolcrib keys create`.
   */
  fetch(request: Request): Promise<Response>
  /** Calls that something waits for together: the mechanism below an agent's turn. */
  readonly groups: Groups
  /** All that a door needs, for embedding one. */
  readonly api: CribApi
  /** Lets running calls finish, writes what is open, and closes the store. */
  close(): Promise<void>
}
