import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
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
  const { stdin, stdout, signal } = options
  const stdio = new StdioServerTransport(stdin, stdout, { maxBufferSize: maxMessageBytes })
  const line = new ServerLine(options, (message) => {
    stdio.send(message).catch((error: unknown) => options.onWarning(String(error)))
  })
  const left = new Promise<void>((resolve) => {
    Object.assign(stdio, {
      onclose: resolve,
      onerror: (error: Error) => options.onWarning(error.message),
      onmessage: (message: JSONRPCMessage) => line.pass(message),
    })
  })
  const leave = () => void stdio.close()
  signal.addEventListener('abort', leave, { once: true })
  await stdio.start()
  if (signal.aborted) leave()
  await left
  signal.removeEventListener('abort', leave)
  await line.close()
}
