import { randomBytes } from 'node:crypto'
import {
  type ApiKeyParts,
  apiKeyIdLength,
  apiKeySecretLength,
  formatApiKey,
  toKeyText,
} from '../../core/keys/api-key-token.ts'

/** A fresh key: 59 bits of id, 190 bits of secret. */
export function createApiKeyToken(
  id: string = toKeyText(apiKeyIdLength, randomBytes),
): ApiKeyParts & { token: string } {
  const parts = { id, secret: toKeyText(apiKeySecretLength, randomBytes) }
  return { ...parts, token: formatApiKey(parts) }
}
