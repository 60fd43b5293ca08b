import type { ServerResponse } from 'node:http'
import { isToolError } from '../../../core/kernel/errors.ts'

/** A refusal or failure of the door itself, as its client sees it. */
export interface DoorAnswer {
  status: 400 | 403 | 502 | 504
  text: string
}

/** In words for the log of a program: it has no other way to learn why a host is closed. */
export function toDoorAnswer(error: unknown): DoorAnswer {
  if (!isToolError(error)) {
    const { message } = error instanceof Error ? error : new Error(String(error))
    return { status: 502, text: `Toolcrib: the host could not be reached: ${message}\n` }
  }
  const fix = error.fix === undefined ? '' : `\n${error.fix}`
  return { status: statusOf(error.code), text: `Toolcrib: ${error.message}${fix}\n` }
}

function statusOf(code: string): DoorAnswer['status'] {
  if (code === 'denied' || code === 'forbidden') return 403
  if (code === 'invalid_request') return 400
  return code === 'timeout' ? 504 : 502
}

export function sendAnswer(response: ServerResponse, { status, text }: DoorAnswer): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  response.end(text)
}
