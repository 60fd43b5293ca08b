import type { Violation } from './evidence.ts'
import type { ChaosReport } from './run-chaos.ts'

const shownPerRule = 3
const shownContextChars = 1500

/** A run's report as text: what was tried, how it ended, and what must not be. */
export function printReport(report: ChaosReport): string {
  const { violations, loads, faults, failedFaults, counts, quietAfterMs } = report
  const kinds = Map.groupBy(faults, ({ kind }) => kind)
  return [
    `Load: ${loads.join(', ')}`,
    `Faults: ${[...kinds].map(([kind, list]) => `${list.length} × ${kind}`).join(', ')}`,
    ...failedFaults.map((fault) => `Not done: ${fault}`),
    `Quiet ${quietAfterMs} ms after the load`,
    ...Object.entries(counts).map(([name, count]) => `${String(count).padStart(8)}  ${name}`),
    violations.length === 0
      ? 'Nothing was lost, nothing happened twice, everything ended once.'
      : `${violations.length} violations`,
    ...[...Map.groupBy(violations, ({ rule }) => rule)].flatMap(([rule, found]) => [
      `${found.length} × ${rule}`,
      ...found.slice(0, shownPerRule).map(printViolation),
    ]),
  ].join('\n')
}

function printViolation({ subject, message, context }: Violation): string {
  const details = JSON.stringify(context) ?? ''
  return `  ${subject}: ${message}\n    ${details.slice(0, shownContextChars)}`
}
