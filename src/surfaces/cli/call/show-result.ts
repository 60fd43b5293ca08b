import type { CallResult } from '../../../core/call.ts'
import { ToolError } from '../../../core/errors.ts'
import type { OutputSection } from '../../../core/tool.ts'
import type { CommandContext } from '../command.ts'
import type { HttpClient } from '../client/http-client.ts'
import { exit, exitCodes } from '../exit-codes.ts'
import { toSafeLine, toSafeText } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { toOutputLines } from '../output/value-lines.ts'
import { showToolError } from '../show-error.ts'
import { toWaitingLines } from './waiting-lines.ts'

/** How a call ended, for `$?`. One that still runs has not failed. */
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
  if (result.artifact !== undefined) {
    screen.err(
      `${screen.errStyle('yellow', '!')} The output was cut: it has ${formatBytes(result.artifact.bytes)}.`,
    )
    screen.err(`→ toolcrib call --watch ${result.callId ?? ''} --full prints all of it.`)
  }
}

function showCallError(screen: Screen, error: NonNullable<CallResult['error']>): void {
  const { code, message, ...rest } = error
  const retry = error.retryable ? 'Trying again may help.' : `toolcrib events shows what happened.`
  showToolError(screen, new ToolError(code, `${code}: ${message}`, { fix: retry, ...rest }))
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

interface ArtifactText {
  text: string
  next?: number
}

/** Prints the whole output of a call page by page; as it is into a pipe, made harmless on a terminal. */
export async function printArtifact(
  client: HttpClient,
  callId: string,
  { screen, environment }: Pick<CommandContext, 'screen' | 'environment'>,
): Promise<void> {
  let offset: number | undefined = 0
  let last = ''
  while (offset !== undefined && !screen.closed.aborted) {
    const page: ArtifactText = await client.read(`/calls/${encodeURIComponent(callId)}/artifact`, {
      query: { offset, limit: 1_048_576 },
    })
    screen.write(environment.isTty ? toSafeText(page.text) : page.text)
    await screen.drained()
    last = page.text
    // A page that does not move on would be printed for ever.
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
