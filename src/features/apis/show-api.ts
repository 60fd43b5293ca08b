import type { Caller } from '../../core/kernel/call.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import { judgeOperations } from './judge-operations.ts'
import { type ApiListing, readListing } from './listing.ts'
import { type ApiParts, findApi } from './parts.ts'
import type { StoredApi } from './read-apis.ts'
import type { Api } from './schemas.ts'
import { secretsOf } from './spec.ts'

/** One API with its state. */
export async function showApi(
  parts: ApiParts,
  caller: Pick<Caller, 'tenant'>,
  name: string,
): Promise<Api> {
  const stored = await findApi(parts, caller, name)
  const view = await parts.views.findView(caller.tenant)
  const rule = await parts.rules.find(caller.tenant, 'api-tools', name)
  return toApi(stored, readListing(rule), view)
}

/** An API as members of its tenant see it. */
export function toApi(
  { name, rule, spec, closed }: StoredApi,
  listing: ApiListing | undefined,
  view: Pick<TenantView, 'secrets'> | undefined,
): Api {
  const known = view?.secrets.get('') ?? new Set<string>()
  const { updatedAt, updatedBy, isDeclared } = rule
  return {
    ...spec,
    name,
    isDeclared,
    ...stateOf(name, { spec, closed, listing }),
    toolCounts: toCounts(spec, listing),
    ...documentOf(listing),
    missingSecrets: spec === undefined ? [] : secretsOf(spec).filter((one) => !known.has(one)),
    updatedAt,
    updatedBy,
  }
}

function documentOf(listing: ApiListing | undefined): Pick<Api, 'document'> {
  const { document: hash, readAt, facts } = listing ?? {}
  if (hash === undefined || readAt === undefined || facts === undefined) return {}
  return { document: { hash, readAt, ...facts } }
}

function toCounts(spec: StoredApi['spec'], listing: ApiListing | undefined): Api['toolCounts'] {
  const judged = spec && listing ? judgeOperations(listing, spec) : []
  const count = (wanted: string) => judged.filter(({ state }) => state === wanted).length
  return {
    ready: count('ready'),
    quarantined: count('quarantined'),
    leftOut: count('left out'),
  }
}

function stateOf(
  name: string,
  {
    spec,
    closed,
    listing,
  }: Pick<StoredApi, 'spec' | 'closed'> & { listing: ApiListing | undefined },
): Pick<Api, 'state' | 'reason' | 'fix'> {
  if (spec === undefined) {
    return {
      state: 'closed',
      ...(closed !== undefined && { reason: closed }),
      fix: 'Save it again, or remove it.',
    }
  }
  if (!spec.enabled) return { state: 'disabled', fix: `toolcrib apis enable ${name}` }
  if (listing?.document !== undefined) return { state: 'ready' }
  return {
    state: 'unread',
    reason: 'its document was not read yet',
    fix: `Read it now: toolcrib apis refresh ${name}`,
  }
}
