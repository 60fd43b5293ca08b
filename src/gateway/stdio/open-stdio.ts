import type { RpcTransport } from '../wire/rpc-transport.ts'
import { connectionLost, isRpcMessage, type RpcMessage } from '../wire/messages.ts'
import { createLineReader } from './line-reader.ts'
import { createLineWriter } from './line-writer.ts'
import { whyEnded, whyNotStarted } from './program-ends.ts'
import { type SpawnOptions, spawnServer } from './spawn-server.ts'

export interface StdioOptions extends SpawnOptions {
  /** Longest message that is read. */
  maxBytes: number
}

/** Kept of the error output. */
const errorChars = 8192
/** A server that does not read its input is not given more than this. */
const maxUnreadBytes = 33_554_432

/** Starts a server and talks over its input and output, a message a line. */
export function openStdio(options: StdioOptions): RpcTransport {
  const { child, end } = spawnServer(options)
  const writer = createLineWriter(child.stdin)
  let errors = ''
  let isOver = false
  const transport: RpcTransport = {
    onMessage: () => undefined,
    onOversize: () => undefined,
    onClose: () => undefined,
    cancelsByClosing: false,
    hasStreams: false,
    agree: () => undefined,
    errorOutput: () => errors,
    send: (message) => write(message),
    async close() {
      writer.flush()
      isOver = true
      await end()
    },
  }
  const reader = createLineReader({
    maxBytes: options.maxBytes,
    onLine(line, bytes) {
      const message = parse(line)
      if (message !== undefined) transport.onMessage(message, bytes)
    },
    onOversize: (...told) => transport.onOversize(...told),
  })
  child.stdout?.on('data', (chunk: Buffer) => isOver || reader.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-errorChars)
  })
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream?.on('error', () => undefined)
  }
  const finish = (reason: string) => {
    if (isOver) return
    isOver = true
    // Its child processes end with it.
    void end()
    transport.onClose(reason)
  }
  child.once('error', (error: NodeJS.ErrnoException) => {
    finish(whyNotStarted(error))
  })
  // Its last output may still be on the way.
  child.once('exit', (...how) => setTimeout(() => finish(whyEnded(...how)), 20))

  function write(message: RpcMessage): Promise<void> {
    const input = child.stdin
    if (isOver || input === null || !input.writable) {
      return Promise.reject(connectionLost('its process has ended', false))
    }
    if (writer.length > maxUnreadBytes) {
      return Promise.reject(connectionLost('it does not read what it is sent', false))
    }
    writer.write(JSON.stringify(message))
    return Promise.resolve()
  }
  return transport
}

function parse(line: string): RpcMessage | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRpcMessage(value) ? value : undefined
  } catch {
    // Servers print greetings to their output; the protocol forbids it, and they do.
    return undefined
  }
}
