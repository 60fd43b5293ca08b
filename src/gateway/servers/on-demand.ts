import { ToolError } from '../../core/kernel/errors.ts'

const mostStarts = 5
const withinMs = 60_000

/** State of a server that is started on demand and does not stay up. */
export interface Unsteady {
  server: string
  why: string
  /** When it is started by itself. */
  retryAt: number
}

/** Starts that calls ask for while such a server is waited for. */
export interface OnDemand {
  /** Callers that come during a start share it. Throws after too many starts. */
  start<T>(work: () => Promise<T>, about: Unsteady): Promise<T>
}

/** The most starts per minute: a tool that kills its process must not keep the machine busy. */
export function createOnDemand(now: () => number): OnDemand {
  let starts: number[] = []
  let underWay = 0
  return {
    async start(work, about) {
      starts = starts.filter((at) => at > now() - withinMs)
      if (underWay === 0 && starts.length >= mostStarts) {
        throw tooMany(about, Math.min(about.retryAt, (starts[0] ?? 0) + withinMs))
      }
      if (underWay === 0) starts.push(now())
      underWay += 1
      try {
        return await work()
      } finally {
        underWay -= 1
      }
    },
  }
}

/** The caller of the tool that ends it gets its own answer; this is for everyone else. */
function tooMany({ server, why }: Unsteady, at: number): ToolError {
  const when = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
  const message = `${server} was started ${mostStarts} times within a minute and did not stay up: ${why}`
  return new ToolError('upstream_failed', message, {
    retryable: true,
    fix: `It is started again at ${when}. See which call ends it: toolcrib calls --status failed`,
  })
}
