/** `340 ms`, `1.2 s`, `4 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return join([minutes, 'min'], [Math.floor((ms % 60_000) / 1000), 's'])
  return join([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
}

type Part = readonly [count: number, unit: string]

function join(first: Part, second: Part): string {
  return second[0] === 0 ? first.join(' ') : `${first.join(' ')} ${second.join(' ')}`
}
