import { z } from 'zod'
import type { ResourceContents } from '../kernel/content.ts'
import { ToolError } from '../kernel/errors.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { toFieldIssues } from '../schema/tool-definition.ts'
import type { PromptDefinition, LibraryContext } from './define-prompt.ts'
import type { ResourceListing, ResourceTemplate } from './library-api.ts'
import { compileTemplate, type UriMatcher } from './uri-template.ts'

/** The content of a resource: text, bytes, or several resources with their own addresses. */
export type ReadResource = string | Uint8Array | readonly ResourceContents[]

/** The requested address, and the values of its template's variables. */
export interface ResourceAddress {
  uri: string
  params: Readonly<Record<string, string>>
}

interface ResourceFacts {
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
}

/** A resource as an author writes it: at one address, or at all that match a template. */
export type ResourceDefinition = ResourceFacts &
  ({ uri: string } | { uriTemplate: string }) & {
    /** Undefined if there is nothing at this address. */
    read(
      address: ResourceAddress,
      context: LibraryContext,
    ): ReadResource | undefined | Promise<ReadResource | undefined>
    /** Completes the variables of a template. */
    complete?: PromptDefinition['complete']
    /** Called once; calls back whenever the content at an address changed. */
    watch?(changed: (uri: string) => void): (() => void) | void
  }

/** A defined resource. Frozen. */
export interface Resource {
  readonly listing: ResourceListing | ResourceTemplate
  /** The values of its template's variables; undefined if an address does not match. */
  readonly match: UriMatcher
  readonly read: ResourceDefinition['read']
  readonly complete: ResourceDefinition['complete']
  readonly watch: ResourceDefinition['watch']
}

const text = (max: number) => z.string().trim().min(1).max(max)
const common = {
  name: text(200),
  title: text(200).optional(),
  description: text(1024).optional(),
  mimeType: text(200).optional(),
}
const address = z.string().regex(/^[a-z][a-z0-9+.-]*:[^\s]{1,2000}$/i, {
  error: 'must be an address with a scheme, like docs://handbook',
})
const facts = z.union([
  z.strictObject({ ...common, uri: address, size: z.int().min(0).optional() }),
  z.strictObject({ ...common, uriTemplate: address }),
])

/** Defines a resource: checks every field and freezes the result. Throws `invalid_tool`. */
export function defineResource(definition: ResourceDefinition): Resource {
  const { read, complete, watch, ...given } = isRecord(definition) ? definition : ({} as never)
  const parsed = facts.safeParse(given, { reportInput: true })
  if (!parsed.success || typeof read !== 'function') {
    const issues = parsed.success ? [] : toFieldIssues(parsed.error)
    const missing = typeof read === 'function' ? [] : [{ path: '/read', message: 'is missing' }]
    const all = [...issues, ...missing]
    const said = all.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')
    throw new ToolError('invalid_tool', `Resource: ${said}`, { issues: all })
  }
  const listing = Object.freeze(parsed.data)
  const match = 'uri' in listing ? toExact(listing.uri) : compileTemplate(listing.uriTemplate)
  return Object.freeze({ listing, match, read, complete, watch, [resourceMark]: true })
}

const resourceMark = Symbol.for('toolcrib.resource')

/** True for the result of `defineResource`, also from another copy of this module. */
export function isResource(value: unknown): value is Resource {
  return isRecord(value) && resourceMark in value
}

function toExact(own: string): UriMatcher {
  return (uri) => (uri === own ? {} : undefined)
}
