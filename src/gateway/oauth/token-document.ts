import { z } from 'zod'
import type { Credential } from '../../core/gateway/connection-store.ts'
import type { JsonValue } from '../../core/kernel/json.ts'

const tokenDocument = z.object({
  /** The server they are for: never sent to another, also when one takes its name. */
  url: z.string(),
  tokens: z.looseObject({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
    expires_in: z.number().optional(),
    issuer: z.string().optional(),
  }),
  expiresAt: z.number().optional(),
  /** The client they were issued to: no other can renew them. Absent if the settings have it. */
  client: z.looseObject({ client_id: z.string(), client_secret: z.string().optional() }).optional(),
  /** Further scopes that the server has asked for: the next sign-in requests them too. */
  wantedScope: z.string().optional(),
})

type TokenDocument = z.output<typeof tokenDocument>

/** Tokens as they are stored, with their place. */
export interface HeldTokens extends TokenDocument {
  issuer: string
  version: number
}

/** Undefined for tokens of another server, and for what can't be read. */
export function readTokens(found: Credential | undefined, url: string): HeldTokens | undefined {
  const parsed = tokenDocument.safeParse(found?.value)
  if (found === undefined || !parsed.success || parsed.data.url !== url) return undefined
  return { ...parsed.data, issuer: found.issuer, version: found.version }
}

export function toTokenValue(document: TokenDocument): JsonValue {
  return structuredClone(document) as JsonValue
}
