import { Writable } from 'node:stream'

/**
 * Takes stdout for the protocol alone. Whatever else is written to it, such as what a tool prints,
 * goes to stderr: a line that is no message would end the conversation.
 */
export function takeStdout(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Writable {
  const write = stdout.write.bind(stdout) as (
    chunk: Uint8Array,
    done: (error?: Error | null) => void,
  ) => boolean
  const protocol = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      write(chunk, done)
    },
  })
  stdout.write = stderr.write.bind(stderr)
  return protocol
}
