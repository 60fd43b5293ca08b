import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const gauges = { running: () => 2, unwritten: () => 0, tools: () => 7 }

test('calls are counted by tool and status, and their times fall into growing buckets', async () => {
  const metrics = createMetrics(gauges)
  metrics.recordCall({ tool: 'text.echo', status: 'completed', durationMs: 1 })
  metrics.recordCall({ tool: 'text.echo', status: 'completed', durationMs: 90 })
  metrics.recordCall({ tool: 'text.echo', status: 'failed', durationMs: 700_000 })
  const text = ownFigures(await metrics.render())
  expect(text.filter((line) => line.startsWith('toolcrib_call'))).toEqual([
    'toolcrib_calls_total{tool="text.echo",status="completed"} 2',
    'toolcrib_calls_total{tool="text.echo",status="failed"} 1',
    'toolcrib_call_duration_seconds_bucket{le="0.001",tool="text.echo"} 1',
    'toolcrib_call_duration_seconds_bucket{le="0.005",tool="text.echo"} 1',
    'toolcrib_call_duration_seconds_bucket{le="0.025",tool="text.echo"} 1',
    'toolcrib_call_duration_seconds_bucket{le="0.1",tool="text.echo"} 2',
    'toolcrib_call_duration_seconds_bucket{le="0.5",tool="text.echo"} 2',
    'toolcrib_call_duration_seconds_bucket{le="2",tool="text.echo"} 2',
    'toolcrib_call_duration_seconds_bucket{le="10",tool="text.echo"} 2',
    'toolcrib_call_duration_seconds_bucket{le="60",tool="text.echo"} 2',
    'toolcrib_call_duration_seconds_bucket{le="600",tool="text.echo"} 2',
    'toolcrib_call_duration_seconds_bucket{le="+Inf",tool="text.echo"} 3',
    'toolcrib_call_duration_seconds_sum{tool="text.echo"} 700.091',
    'toolcrib_call_duration_seconds_count{tool="text.echo"} 3',
    'toolcrib_calls_running 2',
    'toolcrib_calls_unrecorded 0',
  ])
})

test('a name with quotes, backslashes and line breaks in it stays one label', async () => {
  const metrics = createMetrics(gauges)
  metrics.recordRefusal('a"b\\c\nd')
  expect(ownFigures(await metrics.render())).toContain(
    String.raw`toolcrib_limit_refusals_total{measure="a\"b\\c\nd"} 1`,
  )
})

test('figures of the process are added to ours, and two cribs do not mix', async () => {
  const [one, other] = [createMetrics(gauges), createMetrics(gauges)]
  one.recordRefusal('callsPerMinute')
  const [text, elsewhere] = await Promise.all([one.render(), other.render()])
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  // A measured value, not the largest possible number.
  expect(text).not.toContain('nodejs_eventloop_lag_min_seconds 9223372036')
  expect(text).toMatch(/^# TYPE toolcrib_limit_refusals_total counter\n\S+ 1$/m)
  expect(elsewhere).not.toContain('callsPerMinute')
})

test('figures of MCP servers are shown once there are any to watch', async () => {
  const metrics = createMetrics(gauges)
  expect(await metrics.render()).not.toContain('toolcrib_mcp')
  metrics.watchServers(() => ({ servers: 3, connected: 2, down: 1, quarantined: 4 }))
  const text = ownFigures(await metrics.render())
  expect(text.filter((line) => line.startsWith('toolcrib_mcp'))).toEqual([
    'toolcrib_mcp_servers 3',
    'toolcrib_mcp_servers_connected 2',
    'toolcrib_mcp_servers_down 1',
    'toolcrib_mcp_tools_quarantined 4',
  ])
})

function ownFigures(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('toolcrib_'))
}
