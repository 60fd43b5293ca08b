import type { TerminalField } from '../../core/operations/command-spec.ts'
import type { UsageRow } from '../../core/usage/usage.ts'

const counts = ['calls', 'completed', 'failed', 'denied', 'cancelled'] as const

export const usageColumns: readonly TerminalField<UsageRow>[] = [
  {
    title: 'subject',
    titleFor: ({ by }) => String(by),
    text: ({ name, subject }) => (name === undefined ? subject : `${name} (${subject})`),
    shrinkTo: 12,
    tone: () => 'id',
  },
  ...counts.map((title): TerminalField<UsageRow> => ({
    title,
    text: (row) => String(row[title]),
    align: 'right',
  })),
  { title: 'run', text: ({ runMs }) => toTime(runMs), align: 'right' },
  { title: 'output', text: ({ outputBytes }) => toSize(outputBytes), align: 'right' },
  { title: 'cost', text: ({ cost }) => String(cost), align: 'right' },
]

function toTime(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  const seconds = ms / 1000
  return seconds < 120 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
}

function toSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`
  return bytes < 10_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`
}
