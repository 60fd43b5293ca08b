import type { CallPreview } from '../core/kernel/trial/tool-preview.ts'
import type { CribEvent } from '../core/events/event.ts'
import type { ToolListing, ToolQuery } from '../core/tools/tool-listing.ts'
import type { CribApprovals, CribCalls } from '../core/crib-functions.ts'
import { ToolError } from '../core/kernel/errors.ts'
import { isShortText, maxShortChars } from '../core/kernel/text/short-text.ts'
import type { ToolPort } from '../core/offer/tool-port.ts'
import type { TypedCallResult } from '../core/typing/call-result.ts'
import {
  type CallableTool,
  type CallArguments,
  type InputOf,
  nameOfTool,
  type OutputOf,
  type ToolName,
} from '../core/kernel/callable-tool.ts'
import type { Upload } from '../core/uploads/upload.ts'
import { type CribAddress, type CribClient, createCribClient } from './crib-client.ts'
import { callRemote, type RemoteCallOptions } from './remote-call.ts'
import { type RemoteEventQuery, readRemoteEvents } from './remote-events.ts'
import { createRemoteOffer, type ReadOffer, type RemoteAs } from './remote-offer.ts'
import { createRemotePort } from './remote-port.ts'
import { createRemoteApprovals, createRemoteCalls } from './remote-records.ts'
import { listRemoteTools, type RemoteFile, type RemoteTool, uploadRemote } from './remote-tools.ts'

/** A crib elsewhere, and as whom it is used. */
export interface ConnectOptions extends CribAddress {
  /** Use tools as this agent; a key that is bound to one needs no word. */
  agent?: string
  /** How long the list of tools counts as unchanged without asking, in milliseconds (2,000). */
  freshMs?: number
}

/** As whom tools are used, and who answers. */
export interface RemotePortAs extends RemoteAs {
  /** The key of the person who answers in the conversation: their approvals are decided with it. */
  approverKey?: string
}

/** A crib in another process: the same functions, over HTTP. */
export interface RemoteCrib {
  /**
   * Calls a tool: what `defineTool` returned, or a name. Never rejects: what goes wrong is in the
   * result. Typed as `crib.call` of the library.
   */
  call<const T extends CallableTool | ToolName>(
    tool: T,
    ...given: CallArguments<InputOf<T>, RemoteCallOptions>
  ): Promise<TypedCallResult<OutputOf<T>>>
  /** The tools that the key sees, sorted by name. */
  tools(query?: ToolQuery): Promise<ToolListing[]>
  /** One tool with its schemas. Throws `tool_not_found`. */
  tool(tool: CallableTool | ToolName, as?: Pick<RemoteAs, 'agent' | 'skill'>): Promise<RemoteTool>
  /** Hands a file in; its `uri` is what a file field of an input takes. */
  upload(file: RemoteFile): Promise<Upload>
  /**
   * Past events, oldest first; with `follow`, also new ones until the signal aborts. A broken
   * connection is reopened where it stopped. Needs `audit.read`.
   */
  events(query?: RemoteEventQuery): AsyncIterable<CribEvent>
  /** Shows what a call would do, without doing it. Throws for a tool that has no preview. */
  preview(
    tool: CallableTool | string,
    input?: unknown,
    as?: { agent?: string; sessionId?: string; timeoutMs?: number },
  ): Promise<CallPreview>
  /** The record of calls. */
  readonly calls: CribCalls
  /** Calls that wait for a person, and deciding on them. Needs `approvals.decide`. */
  readonly approvals: CribApprovals
  /** The crib as the caller of the key meets it: what tools for agent SDKs are made of. */
  port(as?: RemotePortAs): ToolPort
}

const defaultFreshMs = 2000

/** Uses a crib that runs elsewhere. Nothing is sent before the first call. */
export function connectCrib(options: ConnectOptions): RemoteCrib {
  const { agent: everyAgent, freshMs = defaultFreshMs, ...address } = options
  const client = createCribClient(address)
  const port = createPorts(client, { everyAgent, freshMs, address })
  const call = (tool: CallableTool | string, input?: unknown, given?: RemoteCallOptions) =>
    callRemote(port, { tool, input, given })
  return {
    // The types follow from the tool; its schemas hold the values to them.
    call: call as RemoteCrib['call'],
    tools: (query = {}) => listRemoteTools(client, { agent: everyAgent, ...query }),
    async tool(tool, { agent = everyAgent, skill } = {}) {
      const path = `/tools/${encodeURIComponent(nameOfTool(tool))}`
      return client.read<RemoteTool>(path, { query: { agent, skill }, isRepeatable: true })
    },
    async preview(tool, input: unknown = {}, { agent = everyAgent, sessionId, timeoutMs } = {}) {
      const path = `/tools/${encodeURIComponent(nameOfTool(tool))}/preview`
      return client.read<CallPreview>(path, {
        method: 'POST',
        body: { input, agent, sessionId, timeoutMs },
      })
    },
    upload: (file) => uploadRemote(client, file),
    events: (query = {}) => readRemoteEvents(client, query),
    calls: createRemoteCalls(client),
    approvals: createRemoteApprovals(client),
    port,
  }
}

interface PortsOptions {
  everyAgent: string | undefined
  freshMs: number
  address: CribAddress
}

function createPorts(client: CribClient, { everyAgent, freshMs, address }: PortsOptions) {
  const offers = new Map<string, ReadOffer>()
  return ({ approverKey, ...as }: RemotePortAs = {}): ToolPort => {
    const agent = as.agent ?? everyAgent
    assertNames({ ...as, agent })
    const acting = { ...as, ...(agent !== undefined && { agent }), freshMs }
    const made = createRemotePort(client, acting)
    // One for each way to see the crib, so that what it offers is read once for all conversations.
    const key = JSON.stringify([agent, as.skill])
    const { sessionId: _, ...seen } = acting
    const shared = offers.get(key) ?? createRemoteOffer(client, seen)
    offers.set(key, shared)
    const offer: ToolPort['offer'] = async (options) => {
      const common = await shared()
      // A search keeps a list for each conversation.
      const isOwn = common.mode === 'search' && as.sessionId !== undefined
      return isOwn ? made.offer(options) : common
    }
    if (approverKey === undefined) return { ...made, offer }
    return {
      ...made,
      offer,
      decide: decideWith(createCribClient({ ...address, key: approverKey })),
    }
  }
}

/** Checks that every call would fail are made before the first one. */
function assertNames({
  agent,
  skill,
  sessionId,
}: { [Name in keyof RemoteAs]: string | undefined }) {
  for (const [name, value] of Object.entries({ agent, skill, sessionId })) {
    if (value === undefined || isShortText(value)) continue
    const message = `must be a string of 1 to ${maxShortChars} characters, without control characters`
    throw new ToolError('invalid_request', `${name} ${message}`, {
      issues: [{ path: `/${name}`, message }],
      fix:
        name === 'sessionId'
          ? 'Use a shorter id, such as a hash of yours. runId has no such limit.'
          : 'Give it as the crib has it: toolcrib agents, toolcrib skills.',
    })
  }
}

function decideWith(client: CribClient): NonNullable<ToolPort['decide']> {
  return ({ approvalId, approved, reason }) =>
    client.send(`/approvals/${encodeURIComponent(approvalId)}/decision`, {
      method: 'POST',
      body: { decision: approved ? 'approve' : 'reject', reason },
    })
}
