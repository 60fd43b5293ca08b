import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { expect, test } from 'vitest'
import { contentOutput } from '../../core/kernel/content.ts'
import { mediaShownTo } from './media-shown.ts'
import { toModelOutput } from './tool-output.ts'

test('files go to models whose provider sends them as such', () => {
  const apiKey = 'none'
  const openai = createOpenAI({ apiKey })
  const shown = [
    createAnthropic({ apiKey })('claude'),
    createAmazonBedrock({ apiKey, region: 'eu-west-1' })('amazon.nova'),
    openai('gpt'),
    createGoogle({ apiKey })('gemini'),
    openai.chat('gpt'),
    createOpenAICompatible({ name: 'local', baseURL: 'http://x' }).chatModel('m'),
    createOpenAICompatible({
      name: 'local',
      baseURL: 'http://x',
      supportsMultiPartToolContent: true,
    }).chatModel('m'),
    undefined,
  ].map(mediaShownTo)
  const [anthropic, bedrock, responses, google, chat, compatible, inParts, unknown] = shown
  expect([anthropic, bedrock, responses]).toEqual(['documents', 'documents', 'documents'])
  expect([google, chat, compatible]).toEqual(['all', 'none', 'none'])
  expect([inParts, unknown]).toEqual(['documents', 'documents'])
})

test('files that a model cannot be shown, and files without bytes, are named', () => {
  const output = contentOutput([
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'image', data: '', mimeType: 'image/png' },
    { type: 'image', data: 'aGk=', mimeType: 'image/svg+xml' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
  ])
  const told = (media: 'all' | 'documents') => {
    const { value } = toModelOutput({ output }, media) as { value: { type: string }[] }
    return value.map(({ type }) => type).join(' ')
  }
  expect([told('all'), told('documents')]).toEqual(['file text file file', 'file text text text'])
  expect(toModelOutput({ output }, 'none')).toEqual({
    type: 'text',
    value: expect.stringMatching(
      /^\[image, image\/png: it can't be shown here\]\n(.*\n){2}\[audio,/,
    ),
  })
})
