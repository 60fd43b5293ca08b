/**
 * Toolcrib as a library: opens the example crib, calls tools in several ways and checks what comes
 * back. Ends with exit code 1 and the difference when something is not as it is written here.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib, z } from 'toolcrib'
import type { CallResult, Crib } from 'toolcrib'

const folder = await mkdtemp(path.join(tmpdir(), 'crib-try-'))
process.env['CRIB_NOTES_FILE'] = path.join(folder, 'notes.json')
try {
  const crib = await createCrib({ config: import.meta.dirname, data: path.join(folder, 'data') })
  try {
    await callOne(crib)
    await callNested(crib)
    await watchOutput(crib)
    await readRefusals(crib)
    await actAsAgents(crib)
  } finally {
    await crib.close()
  }
  console.log('Everything came out as written.')
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** A tool is called by name; what is missing and may be null is filled in. */
async function callOne(crib: Crib): Promise<void> {
  const result = await crib.call('analysis.roi', {
    initialCost: 100_000,
    yearlyBenefit: 50_000,
    yearlyRunningCost: 10_000,
    discountRatePercent: 10,
  })
  assertOutput(result, {
    summary: { netPresentValue: 51_631.47, paybackYears: 2.5, internalRatePercent: 28.65 },
  })
}

/** A tool may call others; each of them is a call of its own, with its own record. */
async function callNested(crib: Crib): Promise<void> {
  const result = await crib.call('demo.business-case', {
    project: 'Paperless office',
    tasks: [
      { name: 'Type invoices', minutesEach: 6, timesPerWeek: 50, people: 3, savablePercent: 80 },
    ],
    hourlyRate: 50,
    adoptionPercent: 75,
    initialCost: 30_000,
    yearlyRunningCost: 5_000,
    years: 4,
  })
  assertOutput(result, {
    summary: { recommendation: 'go', yearlyBenefit: 20_700, netPresentValue: 22_000.39 },
  })
  // Reads are recorded right after they are answered, so this waits until the record is there:
  // the call before, the two inner ones and the outer one.
  const completed = new Set<string | undefined>()
  const signal = AbortSignal.timeout(10_000)
  for await (const event of crib.events({ types: ['call.completed'], follow: true, signal })) {
    completed.add(event.callId)
    if (completed.size === 4) break
  }
  assert.equal(completed.size, 4)
}

/** Partial output arrives while the tool runs. */
async function watchOutput(crib: Crib): Promise<void> {
  const parts: unknown[] = []
  const text = 'Write a tool once. Call it from anywhere.'
  const result = await crib.call(
    'demo.stream-report',
    { text, delayMs: 0 },
    { onOutput: (output) => parts.push(output) },
  )
  assertOutput(result, { summary: { words: 8, sentences: 2 }, isComplete: true })
  assert.equal(parts.length, 4)
}

/** A call never rejects: what went wrong is in the result. */
async function readRefusals(crib: Crib): Promise<void> {
  const refused = [
    await crib.call('analysis.roi', { initialCost: -1 }),
    await crib.call('analysis.nothing', {}),
    // It needs a secret that nobody has set; an agent would not even see the tool.
    await crib.call('demo.signed-webhook', { body: '{}' }),
  ]
  assert.deepEqual(
    refused.map(({ error }) => error?.code),
    ['invalid_input', 'tool_not_found', 'secret_missing'],
  )
}

/** What an agent may do stands in the configuration, and holds for every call it makes. */
async function actAsAgents(crib: Crib): Promise<void> {
  const added = await crib.call('demo.add-note', { text: 'Order bits' }, { agent: 'analyst' })
  const { note } = z.object({ note: z.object({ id: z.string() }) }).parse(added.output)
  const input = { ids: [note.id] }
  const asked = await crib.call('demo.delete-notes', input, { agent: 'analyst' })
  const refused = await crib.call('demo.delete-notes', input, { agent: 'reader' })
  assert.deepEqual([asked.waitingFor, refused.error?.code], ['approval', 'tool_not_found'])
  const seen = await crib.tools({ agent: 'reader' })
  assert.deepEqual(
    seen.map(({ name }) => name),
    ['analysis.quick-score', 'demo.list-notes', 'demo.stream-report'],
  )
  assertOutput(await crib.call('demo.delete-notes', input), { remaining: 0, missing: [] })
}

/** The call completed, and its output holds at least this. */
function assertOutput(result: CallResult, expected: object): void {
  assert.equal(result.status, 'completed', JSON.stringify(result.error))
  assert.partialDeepStrictEqual(result.output, expected)
}
