import { z } from 'zod'
import { bedrockApi, documentMedia } from '../../../core/models/provider-apis.ts'
import { defineProvider } from '../provider.ts'
import { keyReference, providerSettings } from '../provider-settings.ts'

const { baseUrl, headers, apiKey } = providerSettings.shape

const settings = z.strictObject({
  baseUrl,
  headers,
  region: z.string().min(1).max(100).optional().describe('AWS region, such as eu-central-1'),
  apiKey,
  accessKeyId: keyReference.optional().describe('AWS access key, instead of apiKey'),
  secretAccessKey: keyReference.optional().describe('Belongs to accessKeyId'),
  sessionToken: keyReference.optional().describe('Of temporary AWS credentials'),
})

export const bedrock = defineProvider({
  id: 'bedrock',
  modelPath: '/<model>',
  section: { key: 'bedrock', description: 'Amazon Bedrock: models bedrock/…', settings },
  keys: {
    names: ['apiKey', 'accessKeyId', 'secretAccessKey', 'sessionToken'],
    defaults: ['secret:bedrock_api_key', 'env:AWS_BEARER_TOKEN_BEDROCK'],
  },
  async open({ request, keys, settings: { region } }) {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    return createAmazonBedrock({ ...request, ...keys, ...(region !== undefined && { region }) })
  },
  ...bedrockApi,
  messageMedia: documentMedia,
  dropsForbiddenTools: true,
})
