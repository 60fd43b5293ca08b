// npm run chaos [-- --seconds 60 --seed N --rounds 10]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { printReport } from './print-report.ts'
import { runChaos } from './run-chaos.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    lease: { type: 'string', default: '10000' },
    keep: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const firstSeed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
for (let round = 0; round < Number(values.rounds); round += 1) {
  const seed = firstSeed + round
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-chaos-'))
  if (values.keep) console.log(folder)
  console.log(`Chaos with seed ${seed} for ${seconds} s`)
  const report = await runChaos({
    seed,
    seconds,
    folder,
    leaseMs: Number(values.lease),
    onFault: ({ kind, atMs, nodes, lastsMs }) => {
      const who =
        nodes.length === 0
          ? ''
          : ` (node ${nodes.map((place) => place + 1).join(', ')}; ${lastsMs} ms)`
      if (!values.quiet) console.log(`${(atMs / 1000).toFixed(1).padStart(6)} s  ${kind}${who}`)
    },
  })
  console.log(printReport(report))
  if (report.violations.length > 0) {
    console.log(`Logs, journal, ledger and evidence are in ${folder}`)
    console.log(
      `Again: npm run chaos -- --seed ${seed} --seconds ${seconds} --lease ${values.lease}`,
    )
    process.exitCode = 1
    break
  }
  if (!values.keep) await rm(folder, { recursive: true, force: true })
}
// What a violation left open, such as a request that nobody answers, must not keep the command.
process.exit()
