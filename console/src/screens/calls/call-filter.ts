import { callStatuses } from '../../api/enums.ts'

/** The filters of the call list, as they are in the address. */
export interface CallFilter {
  tool?: string
  status?: string
  agent?: string
  principal?: string
  session?: string
  /** A time, or an age such as `24h`. */
  from?: string
  to?: string
}

/** The filter as `GET /calls` takes it. Invalid values are left out. */
export function toCallQuery(filter: CallFilter, now: number) {
  const { tool, agent, principal, session } = filter
  const status = callStatuses.find((one) => one === filter.status)
  const from = toTime(filter.from, now)
  const to = toTime(filter.to, now)
  return {
    ...(tool !== undefined && { tool }),
    ...(status !== undefined && { status }),
    ...(agent !== undefined && { agent }),
    ...(principal !== undefined && { principal }),
    ...(session !== undefined && { session }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time of the address as ISO text: `24h` counts back from now. Undefined if it is invalid. */
export function toTime(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  const ms =
    count === undefined || unit === undefined
      ? Date.parse(text)
      : now - Number(count) * (unitsMs[unit] ?? 0)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
