import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { printReport } from './chaos/print-report.ts'
import { runChaos } from './chaos/run-chaos.ts'

const seconds = 8
/** Shorter than anybody's; jobs of a dead node are taken over after ten seconds all the same. */
const leaseMs = 2000
const seed = Math.floor(Math.random() * 1_000_000)

test(`three nodes keep every promise through faults nobody chose (seed ${seed})`, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib chaos '))
  const report = await runChaos({ seed, seconds, folder, leaseMs, without: ['schedule'] })
  const again = `npm run chaos -- --seed ${seed} --seconds ${seconds} --lease ${leaseMs}`
  const details = `${printReport(report)}\nLogs and evidence are in ${folder}; again: ${again}`
  expect(report.violations.length === 0 ? 'sound' : details).toBe('sound')
  expect(report.failedFaults).toEqual([])
  expect(report.loads).toEqual(['inline', 'background', 'approval', 'external'])
  // A run in which nothing happened proves nothing; how much, is up to the machine and its other work.
  expect(report.counts['completed']).toBeGreaterThan(20)
  expect(report.counts['groups continued']).toBeGreaterThan(5)
  await rm(folder, { recursive: true, force: true })
}, 180_000)
