import type { Api } from '../../api/client.ts'
import { formatBytes } from './amounts.ts'
import { formatNumber } from '../../ui/format/locale.ts'

export const limitMeasures = [
  'callsPerMinute',
  'concurrent',
  'outputBytesPerDay',
  'costPerDay',
  'costPerMonth',
] as const
export type LimitMeasure = (typeof limitMeasures)[number]

export const limitLabels: Readonly<Record<LimitMeasure, string>> = {
  callsPerMinute: 'Calls per minute',
  concurrent: 'Concurrent calls',
  outputBytesPerDay: 'Output bytes per day',
  costPerDay: 'Cost per day, in units',
  costPerMonth: 'Cost per month, in units',
}

const units: Readonly<Record<LimitMeasure, string>> = {
  callsPerMinute: 'calls per minute',
  concurrent: 'concurrent calls',
  outputBytesPerDay: 'of output per day',
  costPerDay: 'units per day',
  costPerMonth: 'units per month',
}

export function describeAmount(value: number, measure: LimitMeasure): string {
  return measure === 'outputBytesPerDay' ? formatBytes(value) : formatNumber(value)
}

/** `60 calls per minute`. */
export function describeAllowance(value: number, measure: LimitMeasure): string {
  return `${describeAmount(value, measure)} ${units[measure]}`
}

/** The calls it counts: `each agent`, `agent support`, `the tenant, calls of mail.*`. */
export function describeSubject({ of, match, tools }: Api<'LimitSpec'>): string {
  const whose =
    of === 'tenant' ? 'the tenant' : match === undefined ? `each ${of}` : `${of} ${match}`
  return tools === undefined ? whose : `${whose}, calls of ${tools.join(', ')}`
}

/** The measures that a limit sets. */
export function measuresOf(limit: Api<'LimitSpec'>): LimitMeasure[] {
  return limitMeasures.filter((measure) => limit[measure] !== undefined)
}
