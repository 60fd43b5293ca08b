import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { holdLock } from './lock.mjs'
import { processMark } from './process-mark.mjs'

const folder = mkdtempSync(join(tmpdir(), 'lock test '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const silent = { onWait: () => {} }

test('a lock is held until it is released, and whoever waits is told by whom', async () => {
  const file = join(folder, 'held')
  const first = await holdLock(file, silent)
  const waitedFor: number[] = []
  const second = holdLock(file, { onWait: (pid) => waitedFor.push(pid) })
  await expect(Promise.race([second, pause(600)])).resolves.toBe('still waiting')
  first.release()
  const lock = await second
  expect(waitedFor).toEqual([process.pid])
  lock.release()
  expect(existsSync(file)).toBe(false)
})

test('the lock of a process that is gone is taken over at once', async () => {
  const file = join(folder, 'dead')
  const child = spawn(process.execPath, ['-e', ''])
  const mark = processMark(child.pid ?? 0)
  await new Promise((resolve) => child.once('exit', resolve))
  writeFileSync(file, JSON.stringify({ host: hostname(), owners: [mark] }))
  const lock = await holdLock(file, silent)
  expect(JSON.parse(readFileSync(file, 'utf8')).owners[0].pid).toBe(process.pid)
  lock.release()
})

test('a later process with the pid of a dead owner does not keep its lock', async () => {
  const file = join(folder, 'reused')
  writeFileSync(
    file,
    JSON.stringify({ host: hostname(), owners: [{ pid: process.pid, startedAt: '1' }] }),
  )
  const lock = await holdLock(file, silent)
  expect(JSON.parse(readFileSync(file, 'utf8')).owners).toEqual([processMark(process.pid)])
  lock.release()
})

test('a lock stays as long as a further owner works, though the first is gone', async () => {
  const file = join(folder, 'worker')
  const worker = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'])
  writeFileSync(
    file,
    JSON.stringify({
      host: hostname(),
      owners: [{ pid: 2 ** 22, startedAt: '1' }, processMark(worker.pid ?? 0)],
    }),
  )
  const next = holdLock(file, silent)
  await expect(Promise.race([next, pause(600)])).resolves.toBe('still waiting')
  worker.kill('SIGKILL')
  const lock = await next
  lock.release()
})

test('of many processes that find the same dead lock, one at a time gets it', async () => {
  const file = join(folder, 'crowd')
  const journal = join(folder, 'journal')
  writeFileSync(
    file,
    JSON.stringify({ host: hostname(), owners: [{ pid: 2 ** 22, startedAt: '1' }] }),
  )
  writeFileSync(journal, '')
  const program = `
    import { appendFileSync } from 'node:fs'
    import { holdLock } from ${JSON.stringify(new URL('lock.mjs', import.meta.url).href)}
    const lock = await holdLock(${JSON.stringify(file)}, { onWait() {} })
    appendFileSync(${JSON.stringify(journal)}, 'in ')
    await new Promise((resolve) => setTimeout(resolve, 20))
    appendFileSync(${JSON.stringify(journal)}, 'out ')
    lock.release()`
  const crowd = Array.from({ length: 8 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' }),
  )
  await Promise.all(crowd.map((child) => new Promise((resolve) => child.once('exit', resolve))))
  expect(readFileSync(journal, 'utf8')).toBe('in out '.repeat(8))
})

function pause(milliseconds: number): Promise<string> {
  return new Promise((resolve) => setTimeout(() => resolve('still waiting'), milliseconds))
}
