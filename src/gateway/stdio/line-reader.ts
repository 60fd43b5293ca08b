import type { RpcId } from '../wire/messages.ts'

/** Kept of a line that is too long: enough to see whose answer it was, in front or at the end. */
const edgeBytes = 256
const newLine = 10
const nothing = Buffer.alloc(0)

export interface LineReaderOptions {
  maxBytes: number
  onLine(line: string, bytes: number): void
  /** A line over the limit, whose bytes are not kept: when it gets there, and when it has ended (`isWhole`). */
  onOversize(id: RpcId | undefined, bytes: number, isWhole: boolean): void
}

/** Cuts a stream of bytes into lines and holds at most one line of the allowed length. */
export function createLineReader({ maxBytes, onLine, onOversize }: LineReaderOptions) {
  let parts: Buffer[] = []
  let held = 0
  let head: Buffer | undefined
  let tail = nothing

  function take(piece: Buffer): void {
    if (head === undefined && held + piece.length <= maxBytes) {
      parts.push(piece)
      held += piece.length
      return
    }
    if (head === undefined) {
      const start = Buffer.concat([...parts, piece.subarray(0, edgeBytes)])
      head = Buffer.from(start.subarray(0, edgeBytes))
      parts = []
      onOversize(findId(head.toString(), ''), held + piece.length, false)
    }
    held += piece.length
    tail = Buffer.from(Buffer.concat([tail, piece.subarray(-edgeBytes)]).subarray(-edgeBytes))
  }
  function finishLine(): void {
    if (head !== undefined) onOversize(findId(head.toString(), tail.toString()), held, true)
    else if (held > 0) {
      const [first] = parts
      const line = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
      onLine(line.toString('utf8'), held)
    }
    parts = []
    held = 0
    head = undefined
    tail = nothing
  }
  return {
    push(chunk: Buffer): void {
      let from = 0
      for (let at = chunk.indexOf(newLine); at >= 0; at = chunk.indexOf(newLine, from)) {
        if (at > from) take(chunk.subarray(from, at))
        finishLine()
        from = at + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
    },
  }
}

const idText = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,15})`
const idInFront = new RegExp(String.raw`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?${idText}`)
const idAtEnd = new RegExp(String.raw`,\s*${idText}\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`)

/**
 * The id of an answer whose middle was dropped. A server that forges it harms only its own answers.
 */
function findId(head: string, tail: string): RpcId | undefined {
  const text = (idInFront.exec(head) ?? idAtEnd.exec(tail))?.[1]
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as RpcId
  } catch {
    return undefined
  }
}
