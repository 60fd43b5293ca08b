import { createReadStream } from 'node:fs'
import type { TokenReport } from '../../../../features/keys/schemas.ts'
import type { FoundToken } from '../../../../core/keys/key-scanner.ts'
import { connectIfRunning } from '../../client/find-server.ts'
import type { HttpClient } from '../../client/http-client.ts'
import type { CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import { usageError } from '../../parse-options.ts'
import { scanStream } from '../../scan/scan-stream.ts'
import { walkFiles } from '../../scan/walk-files.ts'
import { confirm, isAsking } from '../../confirm.ts'

interface Finding extends FoundToken {
  file: string
  state?: TokenReport['state']
  name?: string
  revoked?: true
}

interface Scan {
  findings: Finding[]
  files: number
  /** Files that are not text. */
  skipped: number
  /** Paths that could not be read. */
  unreadable: string[]
  /** There was more than one scan covers. */
  isCut: boolean
}

const maxFiles = 100_000
const maxFindings = 10_000
/** The most tokens the server accepts in one request. */
const tokensAtOnce = 100

/** `toolcrib keys scan`: tokens of ours where they should not be. Nothing is asked of a server to find them. */
export async function scanKeys(context: CommandContext): Promise<number> {
  const names = context.words.slice(1)
  if (names.length === 0) {
    throw usageError('The files are missing.', 'Name files or folders, or - for stdin.')
  }
  const wantsRevoke = context.options.flag('revoke')
  if (wantsRevoke && !context.options.flag('yes') && !isAsking(context)) {
    throw usageError('--revoke needs a terminal to ask.', 'Add --yes.')
  }
  const scan = await scanAll(context, names)
  if (scan.findings.length > 0) await askServer(context, scan, wantsRevoke)
  show(context, scan)
  return scan.findings.length > 0 || scan.isCut ? exit.failed : exit.ok
}

async function scanAll(context: CommandContext, names: readonly string[]): Promise<Scan> {
  const scan: Scan = { findings: [], files: 0, skipped: 0, unreadable: [], isCut: false }
  const { environment } = context
  if (names.includes('-')) {
    await scanOne(scan, '-', environment.stdin as AsyncIterable<Uint8Array>)
  }
  const files = walkFiles(
    names.filter((name) => name !== '-'),
    {
      cwd: environment.cwd,
      maxFiles,
      onCut: () => (scan.isCut = true),
      onUnreadable: (name) => scan.unreadable.push(name),
    },
  )
  for await (const { path, name } of files) {
    await scanOne(scan, name, createReadStream(path, { highWaterMark: 262_144 }))
    if (scan.findings.length >= maxFindings) scan.isCut = true
    if (scan.isCut) break
  }
  return scan
}

async function scanOne(
  scan: Scan,
  file: string,
  pieces: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  try {
    const found = await scanStream(pieces)
    if (found === undefined) scan.skipped += 1
    else scan.files += 1
    for (const one of found ?? []) scan.findings.push({ file, ...one })
  } catch {
    scan.unreadable.push(file)
  }
}

/** Only a server knows whether they still work. Without one, finding them is bad enough. */
async function askServer(
  context: CommandContext,
  { findings }: Scan,
  wantsRevoke: boolean,
): Promise<void> {
  const { environment, server, options, screen } = context
  const tokens = [...new Set(findings.map(({ token }) => token))]
  try {
    const url = options.text('url')
    const connection = await connectIfRunning(environment, { ...server, ...(url && { url }) })
    if (connection === undefined) {
      if (wantsRevoke) screen.err('! No server is running here, so nothing was revoked.')
      return
    }
    const reports = await checkTokens(connection.client, tokens)
    for (const finding of findings) Object.assign(finding, reports.get(finding.token))
    if (wantsRevoke) await revokeLive(context, connection.client, findings)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    screen.err(`! The server could not check them: ${toSafeLine(reason)}`)
  }
}

async function checkTokens(
  client: HttpClient,
  tokens: readonly string[],
): Promise<Map<string, Omit<TokenReport, 'id'>>> {
  const reports = new Map<string, Omit<TokenReport, 'id'>>()
  for (let from = 0; from < tokens.length; from += tokensAtOnce) {
    const some = tokens.slice(from, from + tokensAtOnce)
    const { items } = await client.read<{ items: TokenReport[] }>('/keys/check', {
      method: 'POST',
      body: { tokens: some },
    })
    for (const [index, { state, name }] of items.entries()) {
      reports.set(some[index] ?? '', { state, ...(name !== undefined && { name }) })
    }
  }
  return reports
}

async function revokeLive(
  context: CommandContext,
  client: HttpClient,
  findings: readonly Finding[],
): Promise<void> {
  const live = [...new Set(findings.filter(({ state }) => state === 'live').map(({ id }) => id))]
  if (live.length === 0) return
  const words = `${counted(live.length, 'key')} still ${live.length === 1 ? 'works' : 'work'}`
  if (!(await confirm(context, `${words}: ${live.join(', ')}. Revoke?`))) return
  for (const id of live) {
    await client.send(`/keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
    for (const finding of findings) if (finding.id === id) finding.revoked = true
  }
}

function show({ screen }: CommandContext, scan: Scan): void {
  // The token itself is never shown, so that a scan does not leak it again.
  const findings = scan.findings.map(({ token: _token, ...finding }) => finding)
  if (screen.isJson) return screen.json({ ...scan, findings })
  for (const { file, line, column, id, state, name, revoked } of findings) {
    const status = revoked ? 'revoked now' : state
    const known = [id, name === undefined ? '' : toSafeLine(name), status ?? '']
    screen.out(`${toSafeLine(file)}:${line}:${column}  ${known.filter(Boolean).join('  ')}`)
  }
  for (const name of scan.unreadable.slice(0, 20)) screen.err(`! ${toSafeLine(name)} can't be read`)
  if (scan.isCut) screen.err('! One scan does not cover all of it: name fewer files at once.')
  const what = `${counted(scan.files, 'file')}, ${scan.skipped} not text`
  screen.err(findings.length === 0 ? `✓ no keys in ${what}` : `✗ ${findings.length} in ${what}`)
}
