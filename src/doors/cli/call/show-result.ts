import type { CallResult } from '../../../core/kernel/call.ts'
import type { ArtifactReference } from '../../../core/kernel/artifact-reference.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { OutputSection } from '../../../core/kernel/tool.ts'
import type { CommandContext } from '../command.ts'
import type { HttpClient } from '../client/http-client.ts'
import { exit, exitCodes } from '../exit-codes.ts'
import { errorWords } from '../output/error-words.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { toOutputLines } from '../output/value-lines.ts'
import { usageError } from '../parse-options.ts'
import { showToolError } from '../show-error.ts'
import { toWaitingLines } from './waiting-lines.ts'

/** The exit code of a call. A running call has not failed. */
export function exitCodeOf({ status, error }: CallResult): number {
  if (error !== undefined) return exitCodes[error.code] ?? exit.failed
  return exitsByStatus[status]
}

const exitsByStatus: Readonly<Record<CallResult['status'], number>> = {
  queued: exit.ok,
  running: exit.ok,
  waiting: exit.ok,
  completed: exit.ok,
  failed: exit.failed,
  denied: exit.denied,
  cancelled: exit.stopped,
}

/** Prints a result for people: the output on stdout, everything about it on stderr. */
export function showResult(
  screen: Screen,
  result: CallResult,
  sections: readonly OutputSection[],
): void {
  if (result.output !== undefined) {
    for (const line of toOutputLines(result.output, sections, screen)) screen.out(line)
  }
  for (const warning of result.warnings ?? []) {
    screen.err(`${screen.errStyle('yellow', '!')} ${toSafeLine(warning)}`)
  }
  if (result.error !== undefined) showCallError(screen, result.error)
  else showState(screen, result)
  if (result.artifact !== undefined) showArtifact(screen, result, result.artifact)
}

/** A file from a worker was not cut: none of it is in the output. */
function showArtifact(
  screen: Screen,
  { callId = '', output }: CallResult,
  { id, bytes, mediaType }: ArtifactReference,
): void {
  const full = `toolcrib call --watch ${callId} --full`
  if (isFileOutput(output, id)) {
    screen.err(`The output is a file: ${toSafeLine(mediaType)}, ${formatBytes(bytes)}.`)
    screen.err(`→ ${full} > FILE saves it.`)
    return
  }
  screen.err(`${screen.errStyle('yellow', '!')} The output was cut: it has ${formatBytes(bytes)}.`)
  screen.err(`→ ${full} prints all of it.`)
}

function isFileOutput(output: CallResult['output'], id: string): boolean {
  if (typeof output !== 'object' || output === null || !('artifact' in output)) return false
  const { artifact } = output as { artifact?: { id?: unknown } | null }
  return artifact?.id === id
}

function showCallError(screen: Screen, error: NonNullable<CallResult['error']>): void {
  const { code, message, ...rest } = error
  const retry = error.retryable ? 'Trying again may help.' : `toolcrib events shows what happened.`
  showToolError(screen, new ToolError(code, errorWords(code, message), { fix: retry, ...rest }))
}

function showState(screen: Screen, result: CallResult): void {
  const { status, callId, output } = result
  if (status === 'waiting') {
    for (const line of toWaitingLines(result)) screen.err(line)
    return
  }
  if (status === 'completed') {
    if (output === undefined || output === null)
      screen.err(`${screen.errStyle('green', '✓')} completed`)
    return
  }
  screen.err(`${callId ?? 'The call'} is ${status}.`)
  if (callId !== undefined) screen.err(`→ toolcrib call --watch ${callId} follows it to its end.`)
}

const pageBytes = 1_048_576

interface ArtifactText {
  text: string
  next?: number
}

type Printing = Pick<CommandContext, 'screen' | 'environment'>

/**
 * Prints the whole output of a call page by page: unchanged into a pipe, made safe on a terminal.
 */
export async function printArtifact(
  client: HttpClient,
  { callId, artifact }: { callId: string; artifact: ArtifactReference },
  context: Printing,
): Promise<void> {
  const path = `/calls/${encodeURIComponent(callId)}/artifact`
  if (isText(artifact.mediaType)) return printText(client, path, context)
  if (context.environment.isTty) {
    throw usageError(
      `The output is ${toSafeLine(artifact.mediaType)}, which a terminal cannot show.`,
      `Save it: toolcrib call --watch ${callId} --full > FILE`,
    )
  }
  await printBytes(client, { path, bytes: artifact.bytes }, context)
}

function isText(mediaType: string): boolean {
  return /^text\/|^application\/(json|xml)\b|\+(json|xml)\b/i.test(mediaType)
}

async function printBytes(
  client: HttpClient,
  { path, bytes }: { path: string; bytes: number },
  { screen }: Printing,
): Promise<void> {
  let offset = 0
  while (offset < bytes && !screen.closed.aborted) {
    const page = await client.send(path, {
      query: { offset, limit: pageBytes },
      headers: { accept: '*/*' },
    })
    const chunk = new Uint8Array(await page.arrayBuffer())
    if (chunk.byteLength === 0) return
    screen.write(chunk)
    await screen.drained()
    offset += chunk.byteLength
  }
}

async function printText(
  client: HttpClient,
  path: string,
  { screen, environment }: Printing,
): Promise<void> {
  let offset: number | undefined = 0
  let last = ''
  while (offset !== undefined && !screen.closed.aborted) {
    const page: ArtifactText = await client.read(path, { query: { offset, limit: pageBytes } })
    screen.write(environment.isTty ? toSafeText(page.text) : page.text)
    await screen.drained()
    last = page.text
    // A cursor that does not move would repeat the page for ever.
    offset = page.next !== undefined && page.next > offset ? page.next : undefined
  }
  if (environment.isTty && !last.endsWith('\n')) screen.out('')
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
