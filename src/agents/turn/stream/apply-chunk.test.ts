import { readUIMessageStream, type UIMessageChunk } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChunk } from './apply-chunk.ts'
import { toChunks } from './to-chunks.ts'
import { createUniqueIds } from '../model/unique-ids.ts'
import { toJson, type Chunk, type Part } from '../ui-parts.ts'

/** All chunks that one call of a tool can produce. */
const callEnds: readonly ((toolCallId: string) => Chunk[])[] = [
  (toolCallId) => [{ type: 'tool-output-available', toolCallId, output: { n: 1 } }],
  (toolCallId) => [{ type: 'tool-output-error', toolCallId, errorText: 'no' }],
  (toolCallId) => [
    { type: 'tool-approval-request', toolCallId, approvalId: `a-${toolCallId}` },
    { type: 'tool-approval-response', approvalId: `a-${toolCallId}`, approved: false, reason: 'r' },
    { type: 'tool-output-denied', toolCallId },
  ],
  (toolCallId) => [{ type: 'tool-approval-request', toolCallId, approvalId: `a-${toolCallId}` }],
  () => [],
]

const step = fc.record({
  text: fc.array(fc.string(), { maxLength: 3 }),
  thought: fc.option(fc.string()),
  calls: fc.array(fc.record({ dynamic: fc.boolean(), end: fc.nat(callEnds.length - 1) }), {
    maxLength: 3,
  }),
  isTakenBack: fc.boolean(),
})

function chunksOf(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]) {
  return steps.flatMap(({ text, thought, calls, isTakenBack }, index): Chunk[] => {
    const toolCalls = calls.flatMap(({ dynamic, end }, number): Chunk[] => {
      const toolCallId = `c${index}-${number}`
      const named = { toolCallId, toolName: 'add', ...(dynamic && { dynamic }) }
      return [
        { type: 'tool-input-start', ...named },
        { type: 'tool-input-available', ...named, input: { n: 1 } },
        ...(callEnds[end]?.(toolCallId) ?? []),
      ]
    })
    return [
      { type: 'start-step' },
      ...(thought === null
        ? []
        : [
            { type: 'reasoning-start', id: 'r' },
            { type: 'reasoning-delta', id: 'r', delta: thought },
            { type: 'reasoning-end', id: 'r', providerMetadata: { p: { signature: 's' } } },
          ]),
      { type: 'text-start', id: 't' },
      ...text.map((delta) => ({ type: 'text-delta', id: 't', delta })),
      { type: 'text-end', id: 't' },
      { type: 'source-url', sourceId: 's', url: 'https://example.com' },
      ...toolCalls,
      ...(isTakenBack ? [{ type: 'reset-step' }] : []),
      { type: 'finish-step' },
    ]
  })
}

test("a message that is made of chunks is the one that the SDK's own reader makes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      const chunks = chunksOf(steps)
      const parts: Part[] = []
      for (const chunk of chunks) applyChunk(parts, chunk)
      const stream = ReadableStream.from([{ type: 'start', messageId: 'm' }, ...chunks])
      let last: unknown
      for await (const message of readUIMessageStream({
        stream: stream as ReadableStream<UIMessageChunk>,
      })) {
        last = message.parts
      }
      expect(toJson(parts)).toEqual(toJson(last ?? parts))
    }),
    { numRuns: 60 },
  )
})

test('a message can be replayed: its chunks produce the same message', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 3 }), (steps) => {
      const parts: Part[] = []
      for (const chunk of chunksOf(steps)) applyChunk(parts, chunk)
      const stored = toJson(parts) as unknown as Part[]
      const again: Part[] = []
      for (const chunk of toChunks(stored)) applyChunk(again, chunk)
      expect(toJson(again)).toEqual(stored)
    }),
  )
})

test('no two calls keep the same id, and all chunks of one use one id', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'a_2'), { maxLength: 12 }), (ids) => {
      const toUnique = createUniqueIds(new Set(['b']))
      const given = ids.map((toolCallId) =>
        ['tool-input-start', 'tool-input-delta', 'tool-input-available'].map(
          (type) => toUnique({ type, toolCallId })['toolCallId'],
        ),
      )
      expect(given.every((three) => new Set(three).size === 1)).toBe(true)
      expect(new Set([...given.map(([first]) => first), 'b']).size).toBe(ids.length + 1)
    }),
  )
})
