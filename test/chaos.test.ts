import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { printReport } from './chaos/print-report.ts'
import { runChaos } from './chaos/run-chaos.ts'

const seconds = 6
/** Shorter than any that is used; jobs of a dead node are taken over after ten seconds all the same. */
const leaseMs = 2000
const fixedSeed = 1104
const randomSeed = Math.floor(Math.random() * 1_000_000)

test.each([
  ['the usual faults', fixedSeed],
  [`faults nobody chose (seed ${randomSeed})`, randomSeed],
])(
  'three nodes keep every promise through %s',
  async (_, seed) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib chaos '))
    const report = await runChaos({ seed, seconds, folder, leaseMs })
    const again = `npm run chaos -- --seed ${seed} --seconds ${seconds} --lease ${leaseMs}`
    const details = `${printReport(report)}\nLogs and evidence are in ${folder}; again: ${again}`
    expect(report.violations.length === 0 ? 'sound' : details).toBe('sound')
    expect(report.failedFaults).toEqual([])
    // A run in which little happened proves little.
    expect(report.counts['completed']).toBeGreaterThan(50)
    expect(report.counts['groups continued']).toBeGreaterThan(5)
    await rm(folder, { recursive: true, force: true })
  },
  180_000,
)
