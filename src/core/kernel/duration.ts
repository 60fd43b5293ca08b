const unitMs = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
} as const

const step = /(\d{1,9}(?:\.\d{1,3})?)(ms|[smhdw])/g
const steps = new RegExp(`^(?:${step.source}){1,6}$`)

/**
 * `500ms`, `30s`, `1.5h`, `1h30m`, `30d`, `1w` in milliseconds; undefined for anything else,
 * including zero.
 */
export function toDurationMs(text: string): number | undefined {
  if (!steps.test(text)) return undefined
  let ms = 0
  for (const [, amount, unit] of text.matchAll(step)) {
    ms += Number(amount) * unitMs[unit as keyof typeof unitMs]
  }
  const whole = Math.round(ms)
  return whole >= 1 ? whole : undefined
}

/** The shortest text for a duration: 90 minutes are `1h30m`. Fractions of a second are dropped. */
export function toDurationText(ms: number): string {
  let rest = Math.trunc(ms / 1000) * 1000
  let text = ''
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const amount = Math.trunc(rest / unitMs[unit])
    rest -= amount * unitMs[unit]
    if (amount > 0) text += `${amount}${unit}`
  }
  return text === '' ? '0s' : text
}
