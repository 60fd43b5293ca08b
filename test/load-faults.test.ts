import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServerProcess } from './setup/server-process.ts'

const execute = promisify(execFile)
const program = path.join(import.meta.dirname, '..', 'bin/toolcrib')
const errors = ['rejected', 'ECONNREFUSED', 'process.exit()', 'only a text']
const left = 'A tool file left an error that nothing caught'

/** Each leaves something behind when its file is loaded. Nothing listens on port 1. */
const faults = {
  print: `console.log('printed while loading'); process.stdout.write('and so')`,
  reject: `void Promise.reject(new Error('rejected'))`,
  connect: `import { connect } from 'node:net'\nconnect(1, '127.0.0.1')`,
  exit: `setTimeout(() => process.exit(4), 10)`,
  text: `void Promise.reject('only a text')`,
}

let folder: string
const place = (name: string) => path.join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib load '))
  await mkdir(place('tools'))
  for (const [name, statement] of Object.entries(faults)) {
    await writeFile(
      place(`tools/${name}.tool.ts`),
      `import { defineTool, z } from 'toolcrib'
${statement}
export default defineTool({
  name: 'fault.${name}', description: 'Leaves an error behind while it is loaded.', effect: 'read',
  inputSchema: z.object({}), execute: () => 'done',
})
`,
    )
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('errors that tool files leave behind do not end the start', async () => {
  const server = await startServerProcess({ cwd: folder, data: place('data') })
  try {
    for (const name of Object.keys(faults)) {
      const answer = await server.request(`/api/v1/tools/fault.${name}/calls`, { json: {} })
      expect([name, answer.status]).toEqual([name, 200])
    }
    const told = server.errors()
    expect(told.split(left)).toHaveLength(errors.length + 1)
    for (const error of errors) expect(told).toContain(error)
  } finally {
    await server.stop()
  }
})

test.each(['check', 'types', 'doctor'])(
  'they neither end %s nor spoil its output',
  async (name) => {
    const tools = name === 'check' ? [place('tools')] : ['--tools', place('tools')]
    const given = [
      name,
      '--json',
      ...tools,
      ...(name === 'doctor' ? ['--data', place('data')] : []),
    ]
    const { stdout, stderr } = await execute(program, given, { cwd: folder })
    expect(JSON.parse(stdout)).toBeTypeOf('object')
    expect(stderr).toContain('printed while loading')
    expect(stderr).toContain(`! ${left}: Error: rejected`)
  },
)

test('an error of anything but a tool file ends the start', async () => {
  await writeFile(place('preload.mjs'), `setTimeout(() => { throw new Error('not of a tool') })`)
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(place('preload.mjs')).href}` }
  const start = startServerProcess({ cwd: folder, data: place('other'), env })
  await expect(start).rejects.toThrow('not of a tool')
})
