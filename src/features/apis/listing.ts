import { z } from 'zod'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { DocumentFacts, ApiFinding, Method } from './model.ts'

/** An operation of the document as it was last read. Its definition is kept under its hash. */
export interface ListedOperation {
  name: string
  hash: string
  method: Method
  path: string
  title: string
  tags: string[]
  findings: ApiFinding[]
  fault?: string
  /** Its words hold characters that people do not see. */
  hasHidden?: true
}

/** The accepted definition of an operation. Without a hash, none is accepted. */
export interface OperationPin {
  hash?: string
  /** The definition that somebody rejected. */
  rejected?: string
}

/** The document as it was last read, with people’s decisions. Stored as rule kind `api-tools`. */
export interface ApiListing {
  /** SHA-256 of the document; absent until it was read. */
  document?: string
  readAt?: string
  facts?: DocumentFacts
  operations: ListedOperation[]
  pins: Record<string, OperationPin>
}

const hash = z.string().regex(/^[0-9a-f]{64}$/)

/** Only what decides about calls is checked: we wrote the rest ourselves. */
const storedListing = z.looseObject({
  operations: z.array(
    z.looseObject({ name: z.string(), hash, method: z.string(), path: z.string() }),
  ),
  pins: z.record(z.string(), z.strictObject({ hash: hash.optional(), rejected: hash.optional() })),
})

/** The listing in a rule; undefined if there is none, or if it can not be read. */
export function readListing(rule: Pick<Rule, 'body'> | undefined): ApiListing | undefined {
  return storedListing.safeParse(rule?.body).success
    ? (rule?.body as unknown as ApiListing)
    : undefined
}
