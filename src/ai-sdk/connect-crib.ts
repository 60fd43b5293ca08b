import { ToolError } from '../core/errors.ts'
import { isShortText, maxShortChars } from '../core/short-text.ts'
import type { ToolPort } from '../core/tool-port.ts'
import { type CribToolSet, createToolSet, type ToolSetOptions } from './create-tool-set.ts'
import { type CribAddress, type CribClient, createCribClient } from './remote/crib-client.ts'
import { createRemoteOffer, type ReadOffer, type RemoteAs } from './remote/remote-offer.ts'
import { createRemotePort } from './remote/remote-port.ts'

/** A crib elsewhere, and as whom it is used. */
export interface ConnectOptions extends CribAddress {
  /** Use tools as this agent; a key that is bound to one needs no word. */
  agent?: string
  /** How long what is offered is taken for unchanged without asking (2 seconds). */
  freshMs?: number
}

/** As whom tools are used, and who answers. */
export interface RemotePortAs extends RemoteAs {
  /** The key of whoever answers in the conversation: a yes or no there is decided with it. */
  approverKey?: string
}

export type RemoteToolSet = ToolSetOptions & RemotePortAs

/** A crib in another process: the same functions, over HTTP. */
export interface RemoteCrib {
  /** The crib as the caller of the key meets it: what tools for other SDKs are made of. */
  port(as?: RemotePortAs): ToolPort
  toolSet(options?: RemoteToolSet): Promise<CribToolSet>
}

const defaultFreshMs = 2000

/** Uses the tools of a crib that runs elsewhere. Nothing is sent before the first tool set. */
export function connectCrib(options: ConnectOptions): RemoteCrib {
  const { agent: everyAgent, freshMs = defaultFreshMs, ...address } = options
  const client = createCribClient(address)
  const offers = new Map<string, ReadOffer>()

  const port = ({ approverKey, ...as }: RemotePortAs = {}): ToolPort => {
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
      // Who searches has a list for each conversation.
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

  return {
    port,
    toolSet: async (set = {}) => {
      const { runId = set.sessionId } = set
      return createToolSet(port(seenAs(set)), { ...set, ...(runId !== undefined && { runId }) })
    },
  }
}

/** What every call would be refused for is said before there is any. */
function assertNames({
  agent,
  skill,
  sessionId,
}: { [Name in keyof RemoteAs]: string | undefined }) {
  for (const [name, value] of Object.entries({ agent, skill, sessionId })) {
    if (value === undefined || isShortText(value)) continue
    const message = `must be a text of 1 to ${maxShortChars} characters, without control characters`
    throw new ToolError('invalid_request', `${name} ${message}`, {
      issues: [{ path: `/${name}`, message }],
      fix:
        name === 'sessionId'
          ? 'Give a shorter id, such as a hash of yours. runId may be as long as it likes.'
          : 'Give it as the crib has it: toolcrib agents, toolcrib skills.',
    })
  }
}

function seenAs({ agent, skill, sessionId, approverKey }: RemoteToolSet): RemotePortAs {
  const as = { agent, skill, sessionId, approverKey }
  return Object.fromEntries(Object.entries(as).filter(([, value]) => value !== undefined))
}

function decideWith(client: CribClient): NonNullable<ToolPort['decide']> {
  return ({ approvalId, approved, reason }) =>
    client.send(`/approvals/${encodeURIComponent(approvalId)}/decision`, {
      method: 'POST',
      body: { decision: approved ? 'approve' : 'reject', reason },
    })
}
