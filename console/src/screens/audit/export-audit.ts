import { ask } from '../../api/client.ts'
import { ApiProblem, fromAnswer } from '../../api/problem.ts'

export type ExportFormat = 'csv' | 'jsonl'

interface ExportOptions {
  query: Readonly<Record<string, string | undefined>>
  format: ExportFormat
  onProgress: (events: number, bytes: number) => void
  signal: AbortSignal
}

/** Size of the pieces handed to the browser, which may store them on disk. */
const pieceBytes = 4_000_000

/** Downloads the log as a file. Throws if the response is cut off. */
export async function exportAudit(options: ExportOptions): Promise<number> {
  const { query, format, onProgress, signal } = options
  const parameters = new URLSearchParams({ format })
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, value)
  }
  const response = await ask(new Request(`/api/v1/audit/export?${parameters}`, { signal }))
  if (!response.ok || response.body === null) {
    throw fromAnswer(await response.json().catch(() => undefined), response)
  }
  const pieces: Blob[] = []
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let waitingBytes = 0
  let bytes = 0
  let lines = 0
  try {
    for await (const chunk of response.body) {
      waiting.push(chunk)
      waitingBytes += chunk.length
      bytes += chunk.length
      lines += countLines(chunk)
      onProgress(lines, bytes)
      if (waitingBytes < pieceBytes) continue
      pieces.push(new Blob(waiting))
      waiting = []
      waitingBytes = 0
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new ApiProblem({
      code: 'interrupted',
      status: 0,
      message: 'The export was interrupted and not saved',
      fix: 'Try again, or export a shorter period.',
    })
  }
  pieces.push(new Blob(waiting))
  save(new Blob(pieces), nameOf(response, format))
  // Every record is one line; the first line of a CSV names the columns.
  return format === 'csv' ? Math.max(0, lines - 1) : lines
}

function countLines(chunk: Uint8Array): number {
  let lines = 0
  for (const byte of chunk) if (byte === 10) lines += 1
  return lines
}

function nameOf(response: Response, format: ExportFormat): string {
  const said = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
  return said?.[1] ?? `audit.${format}`
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download has started by the next tick.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
