import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { processMark } from './process-mark.mjs'
import { projectRoot } from './project-root.mjs'

// bin/toolcrib beside a main of our own, in a folder with a space, called through a link.
const folder = mkdtempSync(join(tmpdir(), 'toolcrib bin '))
const program = join(folder, 'link')
cpSync(join(projectRoot, 'bin'), join(folder, 'bin'), { recursive: true })
mkdirSync(join(folder, 'src', 'app'), { recursive: true })
symlinkSync(join(folder, 'bin', 'toolcrib'), program)
writeFileSync(
  join(folder, 'src', 'app', 'main.ts'),
  `export async function main(argv: string[]): Promise<number> {
    const timer = setTimeout(() => {}, argv[0] === 'wait' ? 60_000 : 0)
    const told = new Promise<number>((resolve) => process.once('SIGTERM', () => resolve(3)))
    void told.then(() => clearTimeout(timer))
    console.log(JSON.stringify({ argv, pid: process.pid, parent: process.env['TOOLCRIB_PARENT'] ?? null }))
    return argv[0] === 'wait' ? told : 7
  }`,
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A Node that does not strip types by itself has to be started a second time.
const ways = [
  { way: 'in this process', flags: [] },
  { way: 'in a second process', flags: ['--no-experimental-strip-types'] },
]

test.for(ways)('arguments and the exit code go through $way', async ({ flags }) => {
  const { child, line, output } = await run(flags, ['a b', '--c=d'])
  expect(await exitOf(child)).toBe(7)
  expect(line).toMatchObject({ argv: ['a b', '--c=d'], parent: null })
  expect(output()).toBe('')
})

test.for(ways)('SIGTERM lets main end in its own way $way', async ({ flags }) => {
  const { child } = await run(flags, ['wait'])
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(3)
})

test.for(ways)('kill -9 of what was started ends what works $way', async ({ flags }) => {
  const { child, line } = await run(flags, ['wait'])
  child.kill('SIGKILL')
  await expect.poll(() => processMark(line.pid).startedAt).toBeUndefined()
})

async function run(flags: string[], args: string[]) {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
  const text = await new Promise<string>((resolve) =>
    child.stdout.setEncoding('utf8').once('data', resolve),
  )
  return {
    child,
    line: JSON.parse(text) as { argv: string[]; pid: number; parent: string | null },
    output: () => complaints,
  }
}

function exitOf(child: ReturnType<typeof spawn>): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', resolve))
}
