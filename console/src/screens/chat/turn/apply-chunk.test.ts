import { expect, test } from 'vitest'
import { applyChunk } from './apply-chunk.ts'
import type { Chunk } from './apply-chunk.ts'
import type { Message } from './message.ts'

const empty: Message = { id: '', role: 'assistant', parts: [] }

function read(chunks: readonly Chunk[], from = empty): Message {
  return chunks.reduce(applyChunk, from)
}

const begun: Chunk[] = [
  { type: 'start', messageId: 'msg_1', messageMetadata: { turnId: 'turn_1' } },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Let me ' },
  { type: 'text-delta', id: 't', delta: 'see.' },
  { type: 'text-end', id: 't' },
  {
    type: 'tool-input-start',
    toolCallId: 'c1',
    toolName: 'notes_delete',
    toolMetadata: { name: 'notes.delete' },
  },
  { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"ids":' },
  { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '["a"]}' },
]

test('text and arguments grow chunk by chunk', () => {
  const message = read(begun)
  expect(message).toMatchObject({ id: 'msg_1', metadata: { turnId: 'turn_1' } })
  expect(message.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'Let me see.', state: 'done' },
    { type: 'tool-notes_delete', state: 'input-streaming', inputText: '{"ids":["a"]}' },
  ])
})

test('a call goes from its arguments through approval to its result', () => {
  const states = [
    {
      type: 'tool-input-available',
      toolCallId: 'c1',
      toolName: 'notes_delete',
      input: { ids: ['a'] },
    },
    {
      type: 'tool-approval-request',
      toolCallId: 'c1',
      approvalId: 'appr_1',
      approvalDescriptor: { callId: 'call_1' },
    },
    { type: 'tool-approval-response', approvalId: 'appr_1', approved: true },
    {
      type: 'tool-output-available',
      toolCallId: 'c1',
      output: { deleted: 1 },
      toolMetadata: { callId: 'call_1' },
    },
  ].map((_, index, all) => read([...begun, ...all.slice(0, index + 1)]).parts.at(-1))
  expect(states.map((part) => part?.['state'])).toEqual([
    'input-available',
    'approval-requested',
    'approval-responded',
    'output-available',
  ])
  expect(states.at(-1)).toMatchObject({
    input: { ids: ['a'] },
    output: { deleted: 1 },
    approval: { id: 'appr_1', approved: true, descriptor: { callId: 'call_1' } },
    toolMetadata: { name: 'notes.delete', callId: 'call_1' },
  })
})

test('a replay from the start gives the same message, not the same text twice', () => {
  expect(read(begun)).toEqual(read(begun, { ...empty, id: 'msg_1' }))
})

test('parts that a chunk does not change stay the same objects', () => {
  const before = read(begun)
  const after = applyChunk(before, {
    type: 'tool-input-delta',
    toolCallId: 'c1',
    inputTextDelta: ' ',
  })
  expect(after.parts[1]).toBe(before.parts[1])
  expect(after.parts[2]).not.toBe(before.parts[2])
})

test('a withdrawn step, unknown chunks and late results of unknown calls do no harm', () => {
  const message = read([...begun, { type: 'reset-step' }])
  expect(message.parts).toEqual([{ type: 'step-start' }])
  const same = read(begun)
  expect(applyChunk(same, { type: 'data-other', data: 1 })).toBe(same)
  expect(applyChunk(same, { type: 'tool-output-available', toolCallId: 'no', output: 1 })).toBe(
    same,
  )
  expect(applyChunk(same, { type: 'text-delta', id: 'no', delta: 'x' })).toBe(same)
})
