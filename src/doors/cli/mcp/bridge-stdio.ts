import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { type LineRefusal, readLines } from './read-lines.ts'
import { ServerLine, type ServerLineOptions } from './server-line.ts'

export interface BridgeOptions extends ServerLineOptions {
  stdin: Readable
  /** For the protocol alone. */
  stdout: Writable
  /** Ends it, as the end of stdin does. */
  signal: AbortSignal
}

/** One message of a client may be as large as what the server takes over HTTP, and what its answers hold. */
const maxMessageBytes = 128 * 1_048_576

/**
 * Serves an MCP client on stdio with what a server answers over HTTP, message by message: either
 * era, with progress, questions to the client and cancellation. Resolves when the client leaves.
 */
export async function bridgeStdio(options: BridgeOptions): Promise<void> {
  const { stdin, stdout, signal, onWarning } = options
  const send = (message: JSONRPCMessage | LineRefusal) => {
    if (!stdout.destroyed) stdout.write(`${JSON.stringify(message)}\n`)
  }
  const line = new ServerLine(options, send)
  // A client that stops reading has left as well.
  const leave = () => void stdin.destroy()
  stdout.on('error', leave)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    const onMessage = (message: JSONRPCMessage) => line.pass(message)
    await readLines(stdin, maxMessageBytes, { onMessage, onRefused: send, onWarning })
  } catch (error) {
    if (!isLeaving(error)) onWarning(String(error))
  } finally {
    signal.removeEventListener('abort', leave)
    await line.close()
  }
}

/** A stdin that closes before its end, by the client or by us. */
function isLeaving(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
}
