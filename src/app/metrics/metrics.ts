import { setTimeout } from 'node:timers/promises'
import type { SettledFact } from '../../core/pipeline/ports.ts'
import { type Figure, type Sample, toPrometheusText } from './prometheus-text.ts'

export interface Metrics {
  recordCall(fact: SettledFact): void
  /** Counts a call that a limit refused. */
  recordRefusal(measure: string): void
  /** From now on figures of MCP servers are shown. */
  watchServers(read: () => ServerCounts): void
  render(): Promise<string>
}

interface ServerCounts {
  servers: number
  connected: number
  down: number
  quarantined: number
}

/** Current values of the gauges, read on demand. */
export interface Gauges {
  running(): number
  unwritten(): number
  tools(): number
}

/** Results and durations of the calls of one tool. */
interface Tally {
  statuses: Map<string, number>
  /** The number of calls up to the bound at the same index, and above the previous one. */
  buckets: number[]
  seconds: number
}

const boundsSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600]

/**
 * Prometheus figures of one crib; two cribs in a process do not mix. Our own are counted here,
 * which costs a call less than a library would. Those of the process are from prom-client.
 */
export function createMetrics(gauges: Gauges): Metrics {
  const calls = new Map<string, Tally>()
  const refusals = new Map<string, number>()
  let readServers: (() => ServerCounts) | undefined
  let ofProcess: Promise<() => Promise<string>> | undefined
  return {
    recordCall({ tool, status, durationMs }) {
      let tally = calls.get(tool)
      if (tally === undefined) {
        tally = { statuses: new Map(), buckets: boundsSeconds.map(() => 0), seconds: 0 }
        calls.set(tool, tally)
      }
      addOne(tally.statuses, status)
      const seconds = durationMs / 1000
      tally.seconds += seconds
      const at = boundsSeconds.findIndex((bound) => seconds <= bound)
      if (at >= 0) tally.buckets[at] = (tally.buckets[at] ?? 0) + 1
    },
    recordRefusal: (measure) => addOne(refusals, measure),
    watchServers: (read) => (readServers = read),
    async render() {
      ofProcess ??= watchProcess()
      const own = [
        ...callFigures(calls),
        refusalFigure(refusals),
        gauge('toolcrib_calls_running', 'Calls that run in this process', gauges.running()),
        gauge('toolcrib_calls_unrecorded', 'Settled reads not on disk yet', gauges.unwritten()),
        gauge('toolcrib_tools', 'Registered tools', gauges.tools()),
        ...(readServers === undefined ? [] : serverFigures(readServers())),
      ]
      const process = await (await ofProcess)()
      return [process, ...own.map(toPrometheusText)].join('\n')
    },
  }
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Loaded on first use: with OpenTelemetry it is 80 modules, which many cribs never need. */
async function watchProcess(): Promise<() => Promise<string>> {
  const { Registry, collectDefaultMetrics } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Before the first measurement, which runs every 10 ms, the event loop delay is reported as 292
  // years.
  for (let turn = 0; turn < 3; turn += 1) await setTimeout(20)
  return () => register.metrics()
}

function callFigures(calls: ReadonlyMap<string, Tally>): Figure[] {
  const all = [...calls]
  return [
    {
      name: 'toolcrib_calls_total',
      help: 'Settled calls by tool and status',
      type: 'counter',
      samples: all.flatMap(([tool, { statuses }]) =>
        [...statuses].map(([status, value]) => ({ labels: { tool, status }, value })),
      ),
    },
    {
      name: 'toolcrib_call_duration_seconds',
      help: 'From request to settled result',
      type: 'histogram',
      samples: all.flatMap(([tool, tally]) => toHistogram(tool, tally)),
    },
  ]
}

function toHistogram(tool: string, { statuses, buckets, seconds }: Tally): Sample[] {
  const count = statuses.values().reduce((sum, value) => sum + value, 0)
  let upTo = 0
  const bounded = buckets.map((value, at): Sample => {
    upTo += value
    return { suffix: '_bucket', labels: { le: String(boundsSeconds[at]), tool }, value: upTo }
  })
  return [
    ...bounded,
    { suffix: '_bucket', labels: { le: '+Inf', tool }, value: count },
    { suffix: '_sum', labels: { tool }, value: seconds },
    { suffix: '_count', labels: { tool }, value: count },
  ]
}

function refusalFigure(refusals: ReadonlyMap<string, number>): Figure {
  return {
    name: 'toolcrib_limit_refusals_total',
    help: 'Calls that a limit refused, by measure',
    type: 'counter',
    samples: [...refusals].map(([measure, value]) => ({ labels: { measure }, value })),
  }
}

function serverFigures({ servers, connected, down, quarantined }: ServerCounts): Figure[] {
  return [
    gauge('toolcrib_mcp_servers', 'Configured MCP servers', servers),
    gauge('toolcrib_mcp_servers_connected', 'Connected MCP servers', connected),
    gauge('toolcrib_mcp_servers_down', 'Unreachable MCP servers', down),
    gauge('toolcrib_mcp_tools_quarantined', 'Quarantined tools of MCP servers', quarantined),
  ]
}

function gauge(name: string, help: string, value: number): Figure {
  return { name, help, type: 'gauge', samples: [{ value }] }
}
