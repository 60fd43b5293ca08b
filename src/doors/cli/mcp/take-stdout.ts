import { Writable } from 'node:stream'

/**
 * Reserves stdout for the protocol. All other output, such as that of tools, goes to stderr: a line
 * that is not a message would end the connection.
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
