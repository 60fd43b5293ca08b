import { Tag } from '../../ui/tag.tsx'
import { formatDuration, useNow } from '../../ui/time.tsx'

const soonMs = 60_000

/** The time left to decide: amber in the last minute, then expired. */
export function Expiry({ at }: { at: string }) {
  const leftMs = useLeftMs(at)
  if (leftMs <= 0) return <Tag>expired</Tag>
  const words = `expires in ${describeLeft(leftMs)}`
  return leftMs < soonMs ? <Tag tone="ask">{words}</Tag> : <span>{words}</span>
}

/** Whether the request has expired by this machine's clock; the server's clock decides. */
export function useIsOver(at: string): boolean {
  return useLeftMs(at) <= 0
}

function useLeftMs(at: string): number {
  return Date.parse(at) - useNow()
}

/** In whole seconds, so that the countdown does not jump between units. */
function describeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return ms > 172_800_000 ? `${Math.floor(ms / 86_400_000)} days` : formatDuration(ms)
}
