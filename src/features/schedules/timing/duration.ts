const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

type Unit = keyof typeof unitMs

const wholeText = /^(?:\d{1,9}[smhdw]){1,5}$/
const oneStep = /(\d+)([smhdw])/g

/** `15m`, `90s`, `1h30m`, `2d` as milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!wholeText.test(text)) return undefined
  let ms = 0
  for (const [, amount, unit] of text.matchAll(oneStep)) ms += Number(amount) * unitMs[unit as Unit]
  return ms
}

/** The shortest text that means so many milliseconds: `90m` is `1h30m`. Parts of a second are dropped. */
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
