import { expect, test } from 'vitest'
import { mediaShownIn } from './mastra-media.ts'

test('files go to models that Mastra reaches by their own packages', () => {
  expect(
    [
      'openai/gpt-5',
      'netlify/anthropic/claude',
      { providerId: 'google', modelId: 'gemini' },
      { id: 'local/m', url: 'http://x', api: 'responses' },
      undefined,
    ].map(mediaShownIn),
  ).toEqual(['documents', 'documents', 'documents', 'documents', 'documents'])
  expect(
    [
      'groq/llama',
      { id: 'openai/gpt-5', url: 'http://x' },
      { providerId: 'local', modelId: 'm', url: 'http://x' },
      { provider: 'openai.chat', modelId: 'gpt' },
    ].map(mediaShownIn),
  ).toEqual(['none', 'none', 'none', 'none'])
})
