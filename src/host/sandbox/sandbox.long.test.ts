import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { countProcesses, hasBwrap, openScene } from './testing/sandbox-scene.ts'

const isThere = await hasBwrap()

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

async function timesOf(count: number, run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
    // As people and agents do: the next command does not come at once.
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  return times
}

function spawnPlain(): Promise<void> {
  return new Promise((resolve) => {
    spawn('bash', ['-c', 'true'], { stdio: 'pipe' }).once('close', () => resolve())
  })
}

describe.skipIf(!isThere)('a busy sandbox (skipped without bubblewrap)', () => {
  test('a command costs little more than a plain one, once its session has begun', async () => {
    const scene = await openScene()
    await scene.run('true')
    const plain = median(await timesOf(15, spawnPlain))
    const warm = median(await timesOf(15, () => scene.run('true')))
    const cold = median(
      await timesOf(5, async () => {
        const other = { ...scene.place, id: `${Math.random()}` }
        await scene.processesWith({ folder: async () => other }).run({ command: 'true' })
      }),
    )
    await scene.close()
    process.stdout.write(
      `plain ${plain.toFixed(1)} ms, prepared ${warm.toFixed(1)} ms, first ${cold.toFixed(1)} ms\n`,
    )
    expect(warm).toBeLessThan(plain * 10 + 20)
  })

  test('fifty sessions with a busy shell each leave the server responsive', async () => {
    const scene = await openScene()
    await scene.run('true')
    const mark = `busy${process.pid}`
    const delays: number[] = []
    let last = performance.now()
    const timer = setInterval(() => {
      delays.push(performance.now() - last - 20)
      last = performance.now()
    }, 20)
    const sessions = Array.from({ length: 50 }, async (_, index) => {
      const place = { ...scene.place, id: `session-${index}` }
      const tenant = `tenant-${index % 5}`
      const caller = {
        tenant,
        principal: { kind: 'user', id: 'x' },
        permissions: ['*'],
        runtime: 'api',
      } as const
      const processes = scene.processesWith({ caller, folder: async () => place })
      const { exitCode } = await processes.run({
        command: `exec -a ${mark} bash -c 'for i in {1..100000}; do :; done; yes | head -c 1000000'`,
        timeoutMs: 120_000,
      })
      return exitCode
    })
    const codes = await Promise.all(sessions)
    clearInterval(timer)
    const sorted = delays.toSorted((a, b) => a - b)
    const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0
    process.stdout.write(`delay of the event loop: p95 ${p95.toFixed(0)} ms\n`)
    await scene.close()
    expect(codes).toEqual(Array.from({ length: 50 }, () => 0))
    expect(p95).toBeLessThan(1000)
    expect(await countProcesses(mark)).toBe(0)
  })
})
