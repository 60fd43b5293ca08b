import { createWriteStream } from 'node:fs'
import { open, stat, truncate } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import path from 'node:path'
import type { AuditFormat } from '../../../../features/audit/operations.ts'
import { toCsvHeader } from '../../../../features/audit/to-csv.ts'
import { ToolError } from '../../../../core/kernel/errors.ts'
import type { Query } from '../../client/http-client.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { createProgressLine } from '../../output/progress-line.ts'
import { usageError } from '../../parse-options.ts'

/** `toolcrib audit export`: copies the log to a file. An existing copy is continued. */
export async function exportAudit(context: CommandContext, filters: Query): Promise<number> {
  const { options, screen, server, connect, environment } = context
  const out = options.text('out')
  if (out === undefined) {
    throw usageError('Where to?', 'Write toolcrib audit export --out audit.csv')
  }
  const file = path.resolve(server.cwd, out)
  const format = toFormat(options.text('format'), file)
  const place = await findPlace(file, format)
  const { client } = await connect()
  const query = { ...filters, format, after: place.after }
  const response = await client.send('/audit/export', { query, headers: { accept: '*/*' } })
  // An incomplete last line is written again.
  if (place.after !== undefined) await truncate(file, place.start)
  const line = createProgressLine(screen, environment.columns)
  let lines = 0
  const counting = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      lines += countLines(chunk)
      line.show({ progress: { message: `${counted(lines, 'line')} written` } })
      yield chunk
    }
  }
  const body = Readable.fromWeb(response.body as never)
  await pipeline(body, counting, createWriteStream(file, place)).catch((error: unknown) => {
    throw brokenOff(out, error)
  })
  line.clear()
  const events = format === 'csv' && place.after === undefined ? Math.max(0, lines - 1) : lines
  const isContinued = place.after !== undefined
  if (screen.isJson) screen.json({ file, format, events, isContinued })
  else {
    const more = isContinued ? 'more ' : ''
    screen.err(`${screen.errStyle('green', '✓')} ${counted(events, `${more}event`)} in ${out}`)
  }
  return exit.ok
}

function toFormat(asked: string | undefined, file: string): AuditFormat {
  if (asked === 'csv' || asked === 'jsonl') return asked
  return path.extname(file).toLowerCase() === '.csv' ? 'csv' : 'jsonl'
}

interface Place {
  flags: 'w' | 'r+'
  start: number
  mode: number
  after?: string
}

/** A line is at most one event: a larger one is not from this command. */
const longestLine = 64 * 1024 * 1024

/**
 * Where to continue in an existing file: after its last whole line, with the event of that line.
 */
async function findPlace(file: string, format: AuditFormat): Promise<Place> {
  // A log is not readable for everybody on this machine.
  const fresh: Place = { flags: 'w', start: 0, mode: 0o600 }
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size === 0) return fresh
  const tail = await readTail(file, size)
  const idIn = format === 'csv' ? idInCsv : idInJson
  const after = tail === undefined ? undefined : idIn(tail.line)
  if (after === 'header') return fresh
  // Files of others are never overwritten.
  if (tail === undefined || after === undefined) {
    throw usageError(
      `${file} exists, but is not a ${format} copy of a log that can be continued.`,
      'Choose another file, or remove this one.',
    )
  }
  return { ...fresh, flags: 'r+', start: tail.end, after }
}

/** The last whole line and its end; undefined without one. */
async function readTail(
  file: string,
  size: number,
): Promise<{ line: string; end: number } | undefined> {
  const handle = await open(file, 'r')
  try {
    for (let length = Math.min(size, 65_536); ; length = Math.min(size, length * 4)) {
      const bytes = Buffer.alloc(length)
      await handle.read(bytes, 0, length, size - length)
      const end = bytes.lastIndexOf(10)
      const begin = end <= 0 ? -1 : bytes.lastIndexOf(10, end - 1)
      if (end !== -1 && (begin !== -1 || length === size)) {
        return { line: bytes.toString('utf8', begin + 1, end), end: size - length + end + 1 }
      }
      if (length === size || length > longestLine) return undefined
    }
  } finally {
    await handle.close()
  }
}

function idInCsv(line: string): string | undefined {
  const [, id] = /^"([\w-]{1,100})",/.exec(line) ?? []
  return `${line}\n` === toCsvHeader() ? 'header' : id
}

function idInJson(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const id = (value as { id?: unknown } | null)?.id
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

function countLines(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}

function brokenOff(out: string, error: unknown): ToolError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ToolError('server_unreachable', `The copy broke off: ${reason}`, {
    fix: `Run the same command again: it continues where ${out} ends.`,
    cause: error,
  })
}
