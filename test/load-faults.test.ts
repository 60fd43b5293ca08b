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
const left = 'A tool file left an error that nothing caught'

/** Each leaves an error behind when its file is loaded. Nothing listens on port 1. */
const faults = {
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
    expect(told.split(left)).toHaveLength(Object.keys(faults).length + 1)
    for (const word of ['rejected', 'ECONNREFUSED', 'process.exit()', 'only a text']) {
      expect(told).toContain(word)
    }
  } finally {
    await server.stop()
  }
})

test('they do not end a command either, nor spoil its output', async () => {
  const args = ['check', '--json', place('tools')]
  const { stdout, stderr } = await execute(program, args, { cwd: folder })
  expect(JSON.parse(stdout)).toMatchObject({ tools: Object.keys(faults).length })
  expect(stderr).toContain(`! ${left}: Error: rejected`)
})

test('an error of anything but a tool file ends the start', async () => {
  await writeFile(place('preload.mjs'), `setTimeout(() => { throw new Error('not of a tool') })`)
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(place('preload.mjs')).href}` }
  const start = startServerProcess({ cwd: folder, data: place('other'), env })
  await expect(start).rejects.toThrow('not of a tool')
})
