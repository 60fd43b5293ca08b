import { ToolError } from '../kernel/errors.ts'
import type { LimitMeasure } from './limit.ts'
import type { AppliedLimit } from './limit-set.ts'

const words: Readonly<Record<LimitMeasure, string>> = {
  callsPerMinute: 'calls per minute',
  concurrent: 'concurrent calls',
  outputBytesPerDay: 'bytes of output per day',
  costPerDay: 'cost units per day',
  costPerMonth: 'cost units per month',
}

/** Why a call is refused: which limit, for whom, who set it, and when to retry. */
export function limitReached(
  { rule, subject }: AppliedLimit,
  refused: { measure: LimitMeasure; most: number; retryAfterMs?: number },
): ToolError {
  const { measure, most, retryAfterMs } = refused
  const isRate = measure === 'callsPerMinute' || measure === 'concurrent'
  const message = `The limit ${rule.name} allows ${toAllowed(measure, most)} for ${shown(subject)} (set by ${rule.setBy})`
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000)
  return new ToolError(isRate ? 'rate_limited' : 'budget_exceeded', message, {
    retryable: isRate && seconds !== undefined,
    fix:
      seconds === undefined
        ? `It never allows this; see toolcrib limits show ${rule.name}`
        : `Try again in ${inWords(seconds)}, or have the limit raised: toolcrib limits show ${rule.name}`,
    details: { limit: rule.name, subject, measure, most, retryAfterMs },
  })
}

/** An unreadable limit lets nothing through, rather than everything. */
export function closedLimit({ name, closed }: AppliedLimit['rule']): ToolError {
  return new ToolError('rate_limited', `The limit ${name} can't be read: ${closed}`, {
    retryable: false,
    fix: `Set it again (toolcrib limits set ${name} …) or remove it (toolcrib limits remove ${name}).`,
    details: { limit: name },
  })
}

function toAllowed(measure: LimitMeasure, most: number): string {
  const one = words[measure].replace(/^calls|^bytes/, (plural) => plural.slice(0, -1))
  return most === 1 ? `1 ${one}` : `${most === 0 ? 'no' : most} ${words[measure]}`
}

/** Users choose names of subjects; the displayed part is bounded and has no line breaks. */
function shown(subject: string): string {
  return JSON.stringify(subject.slice(0, 120)).slice(1, -1)
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`
  if (seconds < 172_800) return `${Math.ceil(seconds / 3600)} hours`
  return `${Math.ceil(seconds / 86_400)} days`
}
