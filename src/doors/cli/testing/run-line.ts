import { PassThrough, Readable } from 'node:stream'
import type { CliEnvironment, FetchLike } from '../environment.ts'
import { runCli } from '../run-cli.ts'

export interface LineResult {
  code: number
  out: string
  err: string
}

export interface LineOptions {
  /** Answers for the local server; without it, opening the store fails the test. */
  fetch?: FetchLike
  stdin?: string
  columns?: number
  /** A terminal on stdout and stderr. */
  isTty?: boolean
  cwd?: string
  env?: Record<string, string>
  /** Receives a function that sends a signal while the command runs. */
  onStart?: (signal: () => void) => void
  /** Called with what is written to stderr. */
  onErr?: (text: string) => void
  more?: Partial<CliEnvironment>
}

const localKey = 'crib_local_key'

/** Runs one command line with streams in memory and gives what it printed. */
export async function runLine(
  argv: readonly string[],
  options: LineOptions = {},
): Promise<LineResult> {
  const stdout = collect(options.isTty === true)
  const stderr = collect(options.isTty === true)
  stderr.stream.on('data', (chunk: Buffer) => options.onErr?.(chunk.toString('utf8')))
  const listeners = new Set<(signal: 'SIGINT') => void>()
  const environment: CliEnvironment = {
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    isTty: options.isTty === true,
    columns: options.columns ?? 80,
    cwd: options.cwd ?? '/nowhere',
    env: options.env ?? {},
    version: '1.2.3',
    onSignal(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    openLocal: () => openLocal(options.fetch),
    serve: unexpected('serve'),
    check: unexpected('check'),
    toolTypes: unexpected('load tools'),
    migrate: unexpected('migrate'),
    writeBackup: unexpected('writeBackup'),
    writeDownload: unexpected('writeDownload'),
    restore: unexpected('restore'),
    verifyBackup: unexpected('verifyBackup'),
    doctor: unexpected('doctor'),
    findSetup: () => Promise.resolve({ tools: [] }),
    packSkill: unexpected('packSkill'),
    ...options.more,
  }
  options.onStart?.(() => {
    for (const listener of listeners) listener('SIGINT')
  })
  const code = await runCli(argv, environment)
  return { code, out: stdout.text(), err: stderr.text() }
}

function openLocal(fetch: FetchLike | undefined): ReturnType<CliEnvironment['openLocal']> {
  if (fetch === undefined) return Promise.reject(new Error('this line must not open the store'))
  return Promise.resolve({
    fetch,
    url: 'http://crib.local',
    key: localKey,
    close: () => Promise.resolve(),
  })
}

function unexpected(name: string): () => Promise<never> {
  return () => Promise.reject(new Error(`this line must not ${name}`))
}

function collect(isTTY: boolean): { stream: PassThrough; text(): string } {
  const stream = Object.assign(new PassThrough(), { isTTY })
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
