import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createId } from '../src/core/kernel/ids.ts'
import type { CallStart, Settlement } from '../src/core/call-log.ts'
import type { Store } from '../src/core/ports.ts'
import { loadMasterKeys } from '../src/store/master-key.ts'
import { openStores } from '../src/features/open-stores.ts'
import { createDatabase } from './fixtures.ts'
import { type Figure, medianMs } from './measure.ts'

/** Three events a call. */
const sizes = [10_000, 1_000_000]
const page = 100

const requested = {
  tool: 'bench.add',
  effect: 'read',
  runtime: 'api',
  decision: { verdict: 'allow' },
} as const

interface Places {
  callId: string
  sessionId: string
  middle: string
}

/** Reading a page of the log when it is short and when it is long: by cursor, by call, by session. */
export async function benchEvents(databaseUrl: string): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  const masterKeys = await loadMasterKeys({ dataDir: folder })
  const settings = { masterKeys, nodeId: createId('node'), onWarning: () => undefined }
  const store = await openStores(
    { kind: 'postgres', url: await createDatabase(databaseUrl) },
    settings,
  )
  try {
    const figures: Figure[] = []
    let written = 0
    for (const size of sizes) {
      const places = await fill(store, written, size)
      written = size
      figures.push(...(await readPages(store, places, size)))
    }
    return [...figures, ...compare(figures)]
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const tenant = 'bench'

async function readPages(store: Store, places: Places, size: number): Promise<Figure[]> {
  const read = (query: object) =>
    medianMs(31, () => store.events.read(tenant, { limit: page, ...query }))
  const name = `at ${size.toLocaleString('en')} events`
  return [
    { name: `page from the start ${name}`, value: await read({}), unit: 'ms' },
    { name: `page by cursor ${name}`, value: await read({ after: places.middle }), unit: 'ms' },
    { name: `page by call ${name}`, value: await read({ callId: places.callId }), unit: 'ms' },
    {
      name: `page by session ${name}`,
      value: await read({ sessionId: places.sessionId }),
      unit: 'ms',
    },
  ]
}

/** The same page at 10^6 in relation to 10^4: near 1 when nothing is scanned. */
function compare(figures: readonly Figure[]): Figure[] {
  const half = figures.length / 2
  return figures.slice(half).map((large, at) => {
    const small = figures[at]?.value ?? Number.NaN
    const ratio = large.value / small
    const name = large.name.replace(/ at .*/, ', long log against short')
    // Pages of a millisecond jitter by more than a half on a busy machine; a scan would be a hundredfold.
    return {
      name,
      value: large.value,
      bare: small,
      ratio,
      unit: 'ms',
      goal: 'the same (< 2 ×)',
      kept: ratio < 2,
    }
  })
}

/** Whole calls through the store's own writing, a few thousand at once. */
async function fill(store: Store, from: number, to: number): Promise<Places> {
  const callCount = (to - from) / 3
  const atOnce = 2000
  let places: Places = { callId: '', sessionId: '', middle: '' }
  for (let written = 0; written < callCount; written += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, callCount - written) }, (_, at) =>
      toCall(from + written + at),
    )
    await Promise.all(
      batch.map(([start, settlement]) => store.calls.recordWhole(start, settlement)),
    )
    const [start] = batch[0] ?? []
    if (written <= callCount / 2 && start?.sessionId !== undefined) {
      places = {
        callId: start.callId,
        sessionId: start.sessionId,
        middle: await store.events.end(tenant),
      }
    }
  }
  return places
}

function toCall(number: number): [CallStart, Settlement] {
  const at = Date.now()
  const callId = createId('call')
  const start: CallStart = {
    callId,
    tenant,
    tool: 'bench.add',
    status: 'running',
    input: { a: number, b: 1, label: null },
    principal: { kind: 'key', id: 'bench' },
    runtime: 'api',
    sessionId: `session-${Math.floor(number / 40)}`,
    attempt: 1,
    execution: 'inline',
    isRepeatable: true,
    timeoutMs: 1000,
    requestedAt: at,
    startedAt: at,
    events: [
      { type: 'call.requested', at, data: { ...requested, input: { a: number, b: 1 } } },
      { type: 'call.started', at, data: { attempt: 1 } },
    ],
  }
  const settlement: Settlement = {
    callId,
    tenant,
    status: 'completed',
    output: { sum: number + 1 },
    settledAt: at,
    events: [{ type: 'call.completed', at, data: { durationMs: 0, output: { sum: number + 1 } } }],
  }
  return [start, settlement]
}
