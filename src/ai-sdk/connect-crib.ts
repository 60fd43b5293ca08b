import type { ToolPort } from '../core/tool-port.ts'
import { type CribToolSet, createToolSet, type ToolSetOptions } from './create-tool-set.ts'
import { type CribAddress, createCribClient } from './remote/crib-client.ts'
import type { RemoteAs } from './remote/remote-offer.ts'
import { createRemotePort } from './remote/remote-port.ts'
import type { ApprovalAnswer } from './tool-run.ts'

/** A crib elsewhere, and as whom it is used. */
export interface ConnectOptions extends CribAddress {
  /** Use tools as this agent; a key that is bound to one needs no word. */
  agent?: string
  /** How long what is offered is taken for unchanged without asking (2 seconds). */
  freshMs?: number
}

export type RemoteToolSet = ToolSetOptions &
  Omit<RemoteAs, 'agent'> & {
    agent?: string
    /** The key of whoever answers in the conversation: a yes or no in its history is decided with it. */
    approverKey?: string
  }

/** A crib in another process: the same functions, over HTTP. */
export interface RemoteCrib {
  /** What doors for other SDKs are built on. */
  port(as?: RemoteAs): ToolPort
  toolSet(options?: RemoteToolSet): Promise<CribToolSet>
}

const defaultFreshMs = 2000

/** Uses the tools of a crib that runs elsewhere. Nothing is sent before the first tool set. */
export function connectCrib({
  agent,
  freshMs = defaultFreshMs,
  ...address
}: ConnectOptions): RemoteCrib {
  const client = createCribClient(address)
  const ports = new Map<string, ToolPort>()
  // One for each way to see the crib, so that what it offers is read once for all conversations.
  const offers = (as: RemoteAs): ToolPort['offer'] => {
    const { sessionId: _, ...seen } = { agent, ...as }
    const key = JSON.stringify([seen.agent, seen.skill, seen.runtime])
    const known = ports.get(key) ?? createRemotePort(client, { ...seen, freshMs })
    ports.set(key, known)
    return known.offer
  }
  const port = (as: RemoteAs = {}): ToolPort => ({
    ...createRemotePort(client, { ...(agent !== undefined && { agent }), ...as, freshMs }),
    offer: offers(as),
  })
  return {
    port,
    toolSet: (options = {}) => {
      const { agent: as = agent, skill, runtime, sessionId, approverKey, ...rest } = options
      const { runId = sessionId } = rest
      const decide =
        rest.decide ?? (approverKey === undefined ? undefined : decideWith(approverKey))
      const seenAs = withoutAbsent({ agent: as, skill, runtime, sessionId })
      return createToolSet(port(seenAs), { ...rest, ...withoutAbsent({ runId, decide }) })
    },
  }

  function decideWith(key: string) {
    const approver = createCribClient({ ...address, key })
    return ({ approvalId, approved, reason }: ApprovalAnswer) =>
      approver.send(`/approvals/${encodeURIComponent(approvalId)}/decision`, {
        method: 'POST',
        body: { decision: approved ? 'approve' : 'reject', reason },
      })
  }
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function withoutAbsent<T extends object>(value: T): Present<T> {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries) as Present<T>
}
