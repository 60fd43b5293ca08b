import { limitMeasures, type LimitMeasure } from '../../core/limits/limit.ts'
import type { TerminalField, TerminalRecord } from '../../core/operations/command-spec.ts'
import type { Limit, LimitUse } from './schemas.ts'

/** A list of limits, each with the subject that has used most of it. */
export const limitColumns: readonly TerminalField<Limit>[] = [
  { title: 'limit', text: ({ name }) => name, tone: () => 'id' },
  { title: 'counts', text: toCountedText, shrinkTo: 10 },
  {
    title: 'allows',
    text: (limit) => (limit.closed === undefined ? toAllowed(limit) : 'nothing: cannot be read'),
    shrinkTo: 10,
  },
  {
    title: 'most used by',
    text: (limit) => limit.use[0] && `${limit.use[0].subject} ${toUsedText(limit, limit.use[0])}`,
    shrinkTo: 10,
  },
]

/** One limit, and who uses it. */
export const limitFacts: TerminalRecord<Limit> = {
  title: ({ name }) => name,
  fields: [
    { title: 'counts', text: toCountedText },
    { title: 'allows', text: (limit) => limit.closed ?? toAllowed(limit) },
    { title: 'set by', text: toSetBy },
    {
      title: 'applies to',
      text: ({ isGlobal }) => (isGlobal ? 'every tenant on its own' : undefined),
    },
  ],
  table: {
    columns: [{ title: 'who', shrinkTo: 10 }, { title: 'used' }],
    rows: (limit) => limit.use.map((use) => [use.subject, toUsedText(limit, use)]),
    empty: 'No recent use.',
    more: ({ next }) => next && 'There are more: use --limit',
  },
}

const units: Readonly<Record<LimitMeasure, string>> = {
  callsPerMinute: 'calls/min',
  concurrent: 'at once',
  outputBytesPerDay: 'bytes/day',
  costPerDay: 'units/day',
  costPerMonth: 'units/month',
}

function toSetBy({ isDeclared, updatedBy }: Limit): string | undefined {
  if (isDeclared) return 'configuration'
  return updatedBy && `${updatedBy.kind}:${updatedBy.id}`
}

function toCountedText({ of: kind, match, tools }: Limit): string {
  const who =
    match === undefined ? (kind === 'tenant' ? 'tenant' : `each ${kind}`) : `${kind} ${match}`
  return tools === undefined ? who : `${who}, calls of ${tools.join(' ')}`
}

function toAllowed(limit: Limit): string {
  return limitMeasures
    .filter((measure) => limit[measure] !== undefined)
    .map((measure) => `${limit[measure]} ${units[measure]}`)
    .join(', ')
}

function toUsedText(limit: Limit, { used }: LimitUse): string {
  return limitMeasures
    .filter((measure) => used[measure] !== undefined)
    .map((measure) => `${used[measure]} of ${limit[measure]} ${units[measure]}`)
    .join(', ')
}
