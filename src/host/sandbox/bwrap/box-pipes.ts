import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { pipeFds } from './box-script.ts'

/** The server's ends of the standard streams of a box. */
export interface BoxPipes {
  stdin: Writable
  stdout: Readable
  stderr: Readable
}

/**
 * Opens the other ends of the pipes that a waiting box has made. Nothing of a caller has run in it
 * yet.
 */
export function openBoxPipes(shell: number): BoxPipes {
  const opened: Socket[] = []
  const openEnd = (fd: number, access: number) => {
    // Never blocks: the box has both ends open.
    const end = openSync(`/proc/${shell}/fd/${fd}`, access | constants.O_NONBLOCK)
    const isReader = access === constants.O_RDONLY
    const socket = new Socket({ fd: end, readable: isReader, writable: !isReader })
    opened.push(socket)
    return socket
  }
  try {
    return {
      stdin: openEnd(pipeFds.stdin, constants.O_WRONLY),
      stdout: openEnd(pipeFds.stdout, constants.O_RDONLY),
      stderr: openEnd(pipeFds.stderr, constants.O_RDONLY),
    }
  } catch (error) {
    for (const socket of opened) socket.destroy()
    throw error
  }
}
