import {
  type ConnectOptions,
  connectCrib as connect,
  type RemoteCrib as PlainRemoteCrib,
  type RemotePortAs,
} from '../../client/connect-crib.ts'
import { type CribToolSet, createToolSet, type ToolSetOptions } from './create-tool-set.ts'

export type RemoteToolSet = ToolSetOptions & RemotePortAs

/** A crib in another process: the same functions, over HTTP, and tools for the AI SDK. */
export interface RemoteCrib extends PlainRemoteCrib {
  /** The tools that the key may use, for the AI SDK. */
  toolSet(options?: RemoteToolSet): Promise<CribToolSet>
}

/** Uses the tools of a crib that runs elsewhere. Nothing is sent before the first call or tool set. */
export function connectCrib(options: ConnectOptions): RemoteCrib {
  const crib = connect(options)
  return {
    ...crib,
    toolSet: async (set = {}) => {
      const { runId = set.sessionId } = set
      const port = crib.port(seenAs(set))
      return createToolSet(port, { ...set, ...(runId !== undefined && { runId }) })
    },
  }
}

function seenAs({ agent, skill, sessionId, approverKey }: RemoteToolSet): RemotePortAs {
  const as = { agent, skill, sessionId, approverKey }
  return Object.fromEntries(Object.entries(as).filter(([, value]) => value !== undefined))
}
