import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { isToolError } from '../../core/kernel/errors.ts'
import type { AWorkspace } from './a-workspace.fixture.ts'

/** Swaps a folder and a link that leads outside, as fast as it can, until it is killed. */
const swapper = `
const fs = require('node:fs')
const [root] = process.argv.slice(1)
process.chdir(root)
process.stdout.write('ready')
for (;;) {
  for (const [one, other] of [['door', 'aside'], ['file', 'fileaside']]) {
    try {
      fs.renameSync(one, 'hold-' + one)
      fs.renameSync(other, one)
      fs.renameSync('hold-' + one, other)
    } catch {
      try { fs.renameSync('hold-' + one, one) } catch {}
    }
  }
}
`

export interface RaceResult {
  tries: number
  /** Steps that were not refused: the race is real only if there are some of both. */
  passed: number
  escapes: string[]
}

/** Uses a path while a process swaps what it leads through. */
export async function raceAgainstSwaps(
  { files, root, outside }: AWorkspace,
  { ms, uid }: { ms: number; uid?: number },
): Promise<RaceResult> {
  const secret = path.join(outside, 'secret')
  mkdirSync(secret)
  for (const name of ['data', 'inner']) writeFileSync(path.join(secret, name), 'SECRET')
  mkdirSync(path.join(root, 'door'))
  writeFileSync(path.join(root, 'door', 'data'), 'inside')
  symlinkSync(secret, path.join(root, 'aside'))
  writeFileSync(path.join(root, 'file'), 'inside')
  symlinkSync(path.join(secret, 'data'), path.join(root, 'fileaside'))
  const child = spawn(process.execPath, ['-e', swapper, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  await once(child.stdout, 'data')
  const result: RaceResult = { tries: 0, passed: 0, escapes: [] }
  const until = performance.now() + ms
  const steps: (() => Promise<unknown>)[] = [
    () => files.read('door/data'),
    () => files.read('file'),
    () => files.write('door/data', 'inside'),
    () => files.write('door/fresh', 'inside'),
    () => files.write('file', 'inside'),
    () => files.edit('door/data', (text) => text),
    () => files.list('door', { limit: 100 }),
    () => files.list('', { recursive: true, limit: 100 }),
    () => files.glob('**/*', { limit: 100 }),
    () => files.grep({ pattern: 'SECRET', limit: 10 }),
    () => files.makeFolder('door/made'),
    () => files.delete('door/fresh'),
    () => files.move('door/made', 'door/moved', { overwrite: true }),
  ]
  try {
    while (performance.now() < until) {
      if (child.exitCode !== null) throw new Error('The swapping process has ended')
      for (const step of steps) await tryStep(step, result)
    }
  } finally {
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'close')
  }
  const left = readdirSync(secret).toSorted().join()
  if (left !== 'data,inner') result.escapes.push(`changed outside: ${left}`)
  for (const name of ['data', 'inner']) {
    const text = readFileSync(path.join(secret, name), 'utf8')
    if (text !== 'SECRET') result.escapes.push(`wrote outside: ${name}`)
  }
  return result
}

async function tryStep(step: () => Promise<unknown>, result: RaceResult): Promise<void> {
  result.tries += 1
  try {
    const got = await step()
    result.passed += 1
    const shown = JSON.stringify(got, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    )
    if (shown !== undefined && /SECRET|"path":"[^"]*inner/.test(shown)) result.escapes.push(shown)
  } catch (error) {
    if (!isToolError(error)) throw error
  }
}
