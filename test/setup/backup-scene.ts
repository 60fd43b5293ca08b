import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openEngine } from '../../src/store/open-store.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const command = path.join(import.meta.dirname, '../../bin/toolcrib')
const execute = promisify(execFile)
const tool = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'probe.write',
  description: 'Writes nothing at all, so that a call with an effect is on record.',
  effect: 'write',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => ({ n }),
})`

const fileTool = `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: 'probe.save',
  description: 'Keeps a text in the workspace, and returns the texts that are there.',
  effect: 'write',
  inputSchema: z.object({ text: z.string() }),
  async execute({ text }, { workspace }) {
    if (text !== '') await workspace.write('kept/' + text, text)
    const { entries } = await workspace.list('', { recursive: true, limit: 10 })
    return { paths: entries.map(({ path }) => path) }
  },
})`

/** How a command ended: what it printed, or the error. */
export interface CommandEnd {
  code: number
  out?: Record<string, unknown>
  stderr?: string
  error?: { code: string; fix?: string }
}

/** A crib with one tool, in a folder where the data folders of its servers are, too. */
export interface BackupScene {
  folder: string
  place(name: string): string
  start(data: string, ...args: string[]): Promise<ServerProcess>
  toolcrib(...args: string[]): Promise<CommandEnd>
  /** Overwrites the file of a table, of a server that is stopped. */
  damage(data: string, table: string): Promise<void>
  remove(): Promise<void>
}

/** Makes the folder and the tool; nothing is started yet. */
export async function createBackupScene(): Promise<BackupScene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib backup '))
  const place = (name: string) => path.join(folder, name)
  await mkdir(place('crib/tools'), { recursive: true })
  await writeFile(place('crib/tools/probe.tool.ts'), tool)
  await writeFile(place('crib/tools/save.tool.ts'), fileTool)
  return {
    folder,
    place,
    start: (data, ...args) => startServerProcess({ cwd: place('crib'), data: place(data), args }),
    toolcrib: (...args) => runCommand(place('crib'), args),
    async damage(data, table) {
      const engine = await openEngine({ kind: 'pglite', dataDir: place(data) }, () => {})
      const query = `select pg_relation_filepath('${table}') as file`
      const { rows } = await engine.sql.executeSql(query, [])
      await engine.close()
      const file = path.join(place(data), 'db', String(rows[0]?.['file']))
      await writeFile(file, Buffer.alloc(Math.max(8192, (await stat(file)).size), 7))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function runCommand(cwd: string, args: readonly string[]): Promise<CommandEnd> {
  const options = { cwd, env: { ...process.env, NO_COLOR: '1' } }
  try {
    const { stdout, stderr } = await execute(command, [...args, '--json'], options)
    return { code: 0, out: JSON.parse(stdout) as Record<string, unknown>, stderr }
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string }
    const last = stderr.trim().split('\n').at(-1) ?? ''
    return { code, ...(JSON.parse(last) as { error: { code: string; fix?: string } }) }
  }
}

/** Makes one call that is on record. */
export async function callOnce(target: ServerProcess): Promise<{ callId: string }> {
  const json = { input: { n: 1 } }
  const response = await target.request('/api/v1/tools/probe.write/calls', { json })
  return (await response.json()) as { callId: string }
}

/** The ids of all calls on record. */
export async function idsOf(target: ServerProcess): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let after = ''; ;) {
    const response = await target.request(`/api/v1/calls?brief=true&limit=500${after}`)
    const page = (await response.json()) as { items: { callId: string }[]; next?: string }
    for (const { callId } of page.items) ids.add(callId)
    if (page.next === undefined) return ids
    after = `&after=${page.next}`
  }
}

/** Keeps a file in the caller's workspace, or none for an empty text. Returns all paths in it. */
export async function keepFile(target: ServerProcess, text: string): Promise<unknown> {
  const json = { input: { text } }
  const response = await target.request('/api/v1/tools/probe.save/calls', { json })
  const { output } = (await response.json()) as { output?: { paths: string[] } }
  return output?.paths
}
