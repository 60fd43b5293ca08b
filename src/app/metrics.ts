import {
  Counter,
  Gauge,
  Histogram,
  Registry as MetricRegistry,
  collectDefaultMetrics,
} from 'prom-client'
import type { SettledFact } from '../core/pipeline/ports.ts'

export interface Metrics {
  recordCall(fact: SettledFact): void
  /** A call was refused because there was no more of this. */
  recordRefusal(measure: string): void
  /** From here on figures of MCP servers are shown. */
  watchServers(
    read: () => { servers: number; connected: number; down: number; quarantined: number },
  ): void
  render(): Promise<string>
}

/** What the gauges read when somebody looks. */
export interface Gauges {
  running(): number
  backlog(): number
  tools(): number
}

/** Prometheus figures of one crib. Own registry: two cribs in a process do not mix. */
export function createMetrics(gauges: Gauges): Metrics {
  const registers = [new MetricRegistry()]
  collectDefaultMetrics({ register: registers[0] })
  const calls = new Counter({
    name: 'toolcrib_calls_total',
    help: 'Settled calls by tool and status',
    labelNames: ['tool', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'toolcrib_call_duration_seconds',
    help: 'From request to settled result',
    labelNames: ['tool'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600],
    registers,
  })
  const refusals = new Counter({
    name: 'toolcrib_limit_refusals_total',
    help: 'Calls that a limit had no room for, by what it measures',
    labelNames: ['measure'],
    registers,
  })
  gauge('toolcrib_calls_running', 'Calls that run in this process', gauges.running)
  gauge('toolcrib_calls_unrecorded', 'Settled reads not on disk yet', gauges.backlog)
  gauge('toolcrib_tools', 'Registered tools', gauges.tools)

  function gauge(name: string, help: string, read: () => number): void {
    const metric: Gauge = new Gauge({ name, help, registers, collect: () => metric.set(read()) })
  }
  // Resolving labels costs more than counting: the children are kept, per tool and status.
  const children = new Map<string, { count: () => void; observe: (seconds: number) => void }>()
  return {
    recordCall({ tool, status, durationMs }) {
      const key = `${status} ${tool}`
      let child = children.get(key)
      if (child === undefined) {
        const count = calls.labels(tool, status)
        const duration = durations.labels(tool)
        child = { count: () => count.inc(), observe: (seconds) => duration.observe(seconds) }
        children.set(key, child)
      }
      child.count()
      child.observe(durationMs / 1000)
    },
    recordRefusal: (measure) => refusals.inc({ measure }),
    watchServers(read) {
      gauge('toolcrib_mcp_servers', 'MCP servers that are brought in', () => read().servers)
      gauge('toolcrib_mcp_servers_connected', 'Of these connected', () => read().connected)
      gauge('toolcrib_mcp_servers_down', 'Of these out of reach', () => read().down)
      gauge('toolcrib_mcp_tools_quarantined', 'Their tools set aside', () => read().quarantined)
    },
    render: async () => (registers[0] as MetricRegistry).metrics(),
  }
}
