import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { printReport } from './chaos/print-report.ts'
import { runChaos } from './chaos/run-chaos.ts'

const seconds = 6
const fixedSeed = 1104
const randomSeed = Math.floor(Math.random() * 1_000_000)

test.each([
  ['the usual faults', fixedSeed],
  [`faults nobody chose (seed ${randomSeed})`, randomSeed],
])(
  'three nodes keep every promise through %s',
  async (_, seed) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib chaos '))
    const report = await runChaos({ seed, seconds, folder })
    const again = `npm run chaos -- --seed ${seed} --seconds ${seconds}`
    const details = `${printReport(report)}\nLogs and evidence are in ${folder}; again: ${again}`
    expect(report.violations.length === 0 ? 'sound' : details).toBe('sound')
    expect(report.failedFaults).toEqual([])
    // A run in which little happened proves little.
    expect(report.counts['completed']).toBeGreaterThan(50)
    await rm(folder, { recursive: true, force: true })
  },
  180_000,
)
