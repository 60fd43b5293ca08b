import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createDatabase } from './fixtures.ts'
import { residentMb } from './host/process-family.ts'
import type { Figure } from './measure.ts'

const root = path.join(import.meta.dirname, '..')

/** From the command to the first answered request, and what an idle server takes of memory. */
export async function benchStart(databaseUrl: string): Promise<Figure[]> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  try {
    const first = await startOnce(['--data', data])
    const again = await startOnce(['--data', data])
    const shared = await startOnce([
      '--data',
      path.join(data, 'node'),
      '--database',
      await createDatabase(databaseUrl),
    ])
    return [
      {
        name: 'start to first answer, first time',
        value: first.ms,
        unit: 'ms',
        goal: '< 8000',
        kept: first.ms < 8000,
      },
      {
        name: 'start to first answer, again',
        value: again.ms,
        unit: 'ms',
        goal: '< 5000',
        kept: again.ms < 5000,
      },
      {
        name: 'idle memory, embedded store',
        value: again.mb,
        unit: 'MB',
        goal: '< 300',
        kept: again.mb < 300,
      },
      {
        name: 'idle memory, PostgreSQL',
        value: shared.mb,
        unit: 'MB',
        goal: '< 150',
        kept: shared.mb < 150,
      },
    ]
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function startOnce(options: readonly string[]): Promise<{ ms: number; mb: number }> {
  const startedAt = performance.now()
  const server = spawn(
    path.join(root, 'bin/toolcrib'),
    ['start', '--json', '--port', '0', ...options],
    {
      cwd: path.join(root, 'examples/crib'),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    const url = await readyUrl(server)
    const answer = await fetch(`${url}/healthz`)
    if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
    const ms = performance.now() - startedAt
    // A moment of quiet: what the start left behind is collected, or it is what idling costs.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    return { ms, mb: await residentMb(server.pid ?? 0) }
  } finally {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
  }
}

/** The address in the first line, which the server prints once it answers. */
export async function readyUrl(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('The server has no output to read')
  for await (const line of createInterface({ input: server.stdout })) {
    return (JSON.parse(line) as { url: string }).url
  }
  throw new Error('The server ended before it was ready')
}
