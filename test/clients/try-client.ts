import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { startServerProcess, type ServerProcess } from '../setup/server-process.ts'
import { type Errand, type PlayedModel, playModel } from './played-model.ts'
import type { RealClient } from './real-clients.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')
const toolcrib = path.join(root, 'bin/toolcrib')

interface Place {
  /** For all that this trial writes. */
  folder: string
  /** Where the programs are installed. */
  programs: string
}

/** The client is configured as the guide says, and its model plays along. Gives what went wrong. */
export async function tryClient(
  client: RealClient,
  { folder, programs }: Place,
): Promise<string[]> {
  const [home, data, project] = [`${folder}/home`, `${folder}/data`, `${folder}/project`]
  await Promise.all([home, data, project].map((each) => mkdir(each)))
  await install(client, programs)
  const tools = ['--tools', path.join(root, 'examples/crib/tools')]
  const server = await startServerProcess({ cwd: project, data, args: tools })
  const model = await playModel(errands)
  const env = { ...process.env, ...client.env(model.url), HOME: home, NO_COLOR: '1' }
  const command = async (...args: string[]) => {
    const { stdout, stderr } = await run(toolcrib, [...args, '--data', data], { cwd: project, env })
    return stdout + stderr
  }
  try {
    await command('agents', 'create', 'careful', '--allow', 'demo.*', '--autonomy', 'conservative')
    const config = (...args: string[]) =>
      command('mcp', 'config', client.config, '--write', '--yes', ...args)
    await config('--name', 'stdio')
    await config('--name', 'asks', '--agent', 'careful')
    const told = await config('--name', 'http', '--http', '--create-key')
    const key = /crib_\w+/.exec(told)?.[0]
    await client.prepare({ home, folder: project, modelUrl: model.url })
    const [program, ...args] = client.run('Run your errands.')
    const running = run(path.join(programs, 'node_modules/.bin', program ?? ''), args, {
      cwd: project,
      env: { ...env, ...(key !== undefined && { TOOLCRIB_KEY: key }) },
      timeout: 180_000,
    })
    running.child.stdin?.end()
    const approving = approveSoon(server, running.child)
    const said = await running.catch((error: unknown) => ({ stdout: '', stderr: String(error) }))
    await approving
    return check(model, said)
  } finally {
    model.close()
    await server.stop()
  }
}

async function install(client: RealClient, programs: string): Promise<void> {
  await run('npm', ['install', '--prefix', programs, '--no-audit', '--no-fund', client.package])
}

const errands: readonly Errand[] = [
  { tool: /stdio.*demo.add.note$/, input: () => ({ text: 'by stdio' }) },
  { tool: /http.*demo.add.note$/, input: () => ({ text: 'by http' }) },
  { tool: /http.*demo.list.notes$/, input: () => ({}) },
  { tool: /asks.*demo.add.note$/, input: () => ({ text: 'by leave' }) },
  {
    tool: /asks.*toolcrib_result$/,
    input: (last) => ({ callId: /call_[\da-f]{32}/.exec(last)?.[0] }),
  },
]

/** A person who takes longer than a client waits. */
async function approveSoon(server: ServerProcess, child: { exitCode: number | null }) {
  const page = async () =>
    (await (await server.request('/api/v1/approvals')).json()) as { items: Waiting[] }
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    if (child.exitCode !== null) return
    for (const { id, createdAt } of (await page()).items) {
      if (Date.now() - Date.parse(createdAt) < 60_000) continue
      await server.request(`/api/v1/approvals/${id}/decision`, { json: { decision: 'approve' } })
    }
  }
}

interface Waiting {
  id: string
  createdAt: string
}

function check(model: PlayedModel, said: { stdout: string; stderr: string }): string[] {
  const expected: readonly [what: string, fits: RegExp][] = [
    ['a call over stdio', /by stdio/],
    ['a call over HTTP', /by http/],
    ['a call without its nullable keys', /by http.*by stdio|by stdio.*by http/],
    ['a call that waits for a person', /waits for a person/],
    ['the result of what waited', /by leave/],
  ]
  const problems = expected.flatMap(([what, fits], index) => {
    const result = model.results[index]
    if (result !== undefined && fits.test(result)) return []
    return [`${what}: ${result?.slice(0, 500) ?? 'was not made'}`]
  })
  if (problems.length === 0) return []
  return [...problems, `its tools: ${model.tools.join(', ')}`, said.stderr.slice(-1_000)]
}
