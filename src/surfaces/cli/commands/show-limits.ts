import {
  limitMeasures,
  type LimitMeasure,
  type LimitUse,
  type LimitWithUse,
} from '../../../core/limits/limit.ts'
import { toSafeLine } from '../output/safe-text.ts'
import type { Screen } from '../output/screen.ts'
import { showTable } from '../output/table.ts'

/** Limits as a table, each with whoever has used most of it. */
export function showLimits(screen: Screen, limits: readonly LimitWithUse[]): void {
  showTable(screen, {
    columns: [
      { title: 'limit', style: (cell) => screen.style('cyan', cell) },
      { title: 'counts', shrinkTo: 10 },
      { title: 'allows', shrinkTo: 10 },
      { title: 'most used by', shrinkTo: 10 },
    ],
    rows: limits.map((limit) => {
      const [first] = limit.use
      return [
        toSafeLine(limit.name),
        toSafeLine(toCountedText(limit)),
        limit.closed === undefined ? toAllowed(limit) : 'nothing: it can’t be read',
        first === undefined ? '' : toSafeLine(`${first.subject} ${toUsedText(limit, first)}`),
      ]
    }),
  })
}

/** One limit, and those who use it. */
export function showLimit(screen: Screen, limit: LimitWithUse): void {
  const by = limit.updatedBy && `${limit.updatedBy.kind}:${limit.updatedBy.id}`
  const facts: [string, string | undefined][] = [
    ['counts', toCountedText(limit)],
    ['allows', limit.closed ?? toAllowed(limit)],
    ['set by', limit.isDeclared ? 'configuration' : by],
    ['holds for', limit.isGlobal ? 'every tenant, each by itself' : undefined],
  ]
  screen.out(screen.style('bold', toSafeLine(limit.name)))
  for (const [label, value] of facts) {
    if (value) screen.out(`${screen.style('dim', label.padEnd(9))}  ${toSafeLine(value)}`)
  }
  if (limit.use.length === 0) return screen.out('Nobody has used any of it lately.')
  showTable(screen, {
    columns: [{ title: 'who', shrinkTo: 10 }, { title: 'used' }],
    rows: limit.use.map((use) => [toSafeLine(use.subject), toUsedText(limit, use)]),
  })
  if (limit.next !== undefined) screen.out('… and others: --limit shows more')
}

const words: Readonly<Record<LimitMeasure, string>> = {
  callsPerMinute: 'calls/min',
  concurrent: 'at once',
  outputBytesPerDay: 'bytes/day',
  costPerDay: 'units/day',
  costPerMonth: 'units/month',
}

function toCountedText({ of: kind, match, tools }: LimitWithUse): string {
  const who =
    match === undefined ? (kind === 'tenant' ? 'tenant' : `each ${kind}`) : `${kind} ${match}`
  return tools === undefined ? who : `${who}, calls of ${tools.join(' ')}`
}

function toAllowed(limit: LimitWithUse): string {
  return limitMeasures
    .filter((measure) => limit[measure] !== undefined)
    .map((measure) => `${limit[measure]} ${words[measure]}`)
    .join(', ')
}

function toUsedText(limit: LimitWithUse, { used }: LimitUse): string {
  return limitMeasures
    .filter((measure) => used[measure] !== undefined)
    .map((measure) => `${used[measure]} of ${limit[measure]} ${words[measure]}`)
    .join(', ')
}
