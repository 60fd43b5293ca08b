import { expect, test } from 'vitest'
import { parseModelName } from '../../models/model-name.ts'
import { isReadable } from './readable-media.ts'

const types = ['text/csv', 'application/json', 'image/webp', 'application/pdf', 'audio/mpeg']

test('every model reads text, pictures and PDF; sound only those whose API has it', () => {
  const readBy = (model: string) =>
    types.filter((type) => isReadable(type, parseModelName(model).provider))
  expect(readBy('openai/gpt-x')).toEqual(types.slice(0, 4))
  expect(readBy('anthropic/claude-x')).toEqual(types.slice(0, 4))
  expect(readBy('bedrock/x')).toEqual(types.slice(0, 4))
  expect(readBy('openai-compatible/fake/any')).toEqual(types)
  expect(readBy('google/gemini-x')).toEqual(types)
})

test('a compatible server is not sent what its SDK throws for', () => {
  expect(isReadable('audio/mp4', parseModelName('openai-compatible/google/any').provider)).toBe(
    false,
  )
})
