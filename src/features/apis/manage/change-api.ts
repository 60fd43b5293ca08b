import type { Caller } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { holds } from '../../../core/operations/require-permission.ts'
import type { RuleDraft } from '../../../core/rules/rule-store.ts'
import { judgeOperations } from '../judge-operations.ts'
import { readListing } from '../listing.ts'
import { type ApiParts, apiNotFound, changeApis, findApi, findOwnApi } from '../parts.ts'
import { readApiRule, readKept } from '../read-apis.ts'
import { type ApiSpec, apiNameSchema, secretsOf } from '../spec.ts'
import { assertSecretUse, checkApi, pickServer, requireApprover } from './check-api.ts'
import { type DocumentPlace, findDocument } from './find-document.ts'
import { type DocumentChanges, keepListing, toFacts } from './keep-listing.ts'
import type { ReadApi } from '../model.ts'

/** Each may have thousands of operations. */
const mostOfTenant = 100

export interface NewApi extends DocumentPlace {
  name: string
  /** The document that was looked at: another one is refused. */
  hash?: string | undefined
  /** The settings, unchecked. */
  settings: object
}

/** Reads a document without keeping anything. */
export async function readPlace(
  parts: ApiParts,
  caller: Caller,
  reading: DocumentPlace & {
    spec: ApiSpec
    pack: string
    isPreview?: boolean
    signal?: AbortSignal | undefined
  },
): Promise<ReadApi> {
  const { spec, pack, isPreview = false, signal, ...place } = reading
  const isPrivate = spec.private === true
  const bytes = await findDocument(parts, place, { caller, pack, isPrivate })
  return parts.reader.read({ ...bytes, isPreview }, signal)
}

/** Adds an API to a tenant, with the operations of its document. */
export async function addApi(
  parts: ApiParts,
  caller: Caller,
  { name, hash, settings, ...place }: NewApi,
): Promise<void> {
  checkName(name)
  const spec = checkApi({ ...settings, ...(place.url && { url: place.url }) }, caller, parts.terms)
  requireApprover(caller, spec)
  assertSecretUse(spec, caller)
  await refuseTaken(parts, caller, name)
  const api = await readPlace(parts, caller, { ...place, spec, pack: `api-${name}` })
  if (hash !== undefined && hash !== api.hash) throw changedSince()
  const whole = pickServer(spec, api.facts.servers, { caller, terms: parts.terms })
  await keepListing(parts, {
    caller,
    name,
    api,
    async prepare(draft) {
      if ((await draft.find('api', name)) !== undefined) throw taken(name)
      if ((await draft.list('api')).length >= mostOfTenant) throw tooMany()
      await draft.put('api', name, { body: toKept(whole, caller) })
      draft.tell('api.added', { api: name, ...toFacts(whole) })
      return whole
    },
  })
}

/** Fields in the request replace the previous ones; null removes one. */
export async function changeApi(
  parts: ApiParts,
  caller: Caller,
  { name, change }: { name: string; change: object },
): Promise<void> {
  await findOwnApi(parts, caller, name)
  await changeApis(parts, caller, async (draft) => {
    const rule = await draft.find('api', name)
    if (rule === undefined) throw apiNotFound(name)
    const before = { ...readKept(rule.body), spec: readApiRule(rule).spec }
    const merged = merge(before.body, change)
    const spec = checkChange(merged, { before: before.spec, caller, parts })
    requireApprover(caller, spec, before.spec)
    if (spec.server === undefined) throw noServer()
    const isSame = before.spec !== undefined && whereTo(before.spec) === whereTo(spec)
    const mayKeep = isSame && before.secretsBy !== undefined
    if (!mayKeep) assertSecretUse(spec, caller)
    await draft.put('api', name, {
      body: toKept(spec, caller, mayKeep ? before.secretsBy : undefined),
    })
    await acceptIncluded(draft, name)
    draft.tell('api.changed', { api: name, fields: Object.keys(change).sort(), ...toFacts(spec) })
  })
}

/**
 * A caller who may not allow private addresses may still change other settings of an API that
 * someone else has added.
 */
function checkChange(
  value: unknown,
  { before, caller, parts }: { before: ApiSpec | undefined; caller: Caller; parts: ApiParts },
): ApiSpec {
  const asked = value as Partial<ApiSpec>
  const isSame = asked.url === before?.url && asked.server === before?.server
  if (before?.private !== true || asked.private !== true || !isSame) {
    return checkApi(value, caller, parts.terms)
  }
  const { private: _private, url, server, ...rest } = asked
  const spec = checkApi(rest, caller, parts.terms)
  return { ...spec, ...(url && { url }), ...(server && { server }), private: true }
}

/** Operations that settings include only now are seen for the first time. */
async function acceptIncluded(draft: RuleDraft, name: string): Promise<void> {
  const [rule, tools] = [await draft.find('api', name), await draft.find('api-tools', name)]
  const spec = rule && readApiRule(rule).spec
  const listing = readListing(tools)
  if (spec === undefined || listing === undefined) return
  const fresh = judgeOperations(listing, spec).filter(({ isNew }) => isNew)
  if (fresh.length === 0) return
  const pins = { ...listing.pins }
  for (const operation of fresh) pins[operation.name] = { hash: operation.hash }
  await draft.put('api-tools', name, { body: { ...listing, pins } as unknown as JsonValue })
}

/** Also removes its tools. Its definitions are swept later. */
export async function removeApi(parts: ApiParts, caller: Caller, name: string): Promise<void> {
  await findOwnApi(parts, caller, name)
  await changeApis(parts, caller, async (draft) => {
    if (!(await draft.delete('api', name))) throw apiNotFound(name)
    await dropListing(draft, name, caller)
    draft.tell('api.removed', { api: name })
  })
}

/**
 * Removes the accepted definitions too if the caller could accept tools anyway. Otherwise they are
 * kept under its name: without them, a quarantined operation would be new, and in use, with the next API of
 * that name.
 */
async function dropListing(draft: RuleDraft, name: string, caller: Caller): Promise<void> {
  if (holds(caller, 'tools.approve')) return void (await draft.delete('api-tools', name))
  const listing = readListing(await draft.find('api-tools', name))
  const kept = await draft.list('api-tools')
  if (kept.length >= 2 * mostOfTenant) {
    throw new ToolError(
      'quota_exceeded',
      'Accepted definitions of too many removed APIs are kept',
      {
        fix: 'Ask someone with the permission tools.approve to remove it: then none are kept.',
      },
    )
  }
  const body = { operations: [], pins: listing?.pins ?? {} } as unknown as JsonValue
  await draft.put('api-tools', name, { body })
}

/** Reads the document again, from its address or from the request. */
export async function refreshApi(
  parts: ApiParts,
  caller: Caller,
  { name, ...place }: { name: string } & Omit<DocumentPlace, 'url'>,
): Promise<DocumentChanges> {
  const { spec, closed, rule } = await findUsable(parts, caller, name)
  const isGiven = place.document !== undefined || place.upload !== undefined
  if (rule.isDeclared && isGiven) await findOwnApi(parts, caller, name)
  if (!isGiven && spec.url === undefined) {
    throw new ToolError('invalid_request', `The document of ${name} was uploaded`, {
      fix: 'Give its present text as document, or the id of an upload.',
    })
  }
  if (closed !== undefined) throw new ToolError('conflict', `The API ${name} is closed: ${closed}`)
  const from = isGiven ? place : { url: spec.url }
  const api = await readPlace(parts, caller, { ...from, spec, pack: `api-${name}` })
  return keepListing(parts, { caller, name, api, prepare: (draft) => currentSpec(draft, name) })
}

/** The settings may have changed while the document was read. */
async function currentSpec(draft: RuleDraft, name: string): Promise<ApiSpec> {
  const rule = await draft.find('api', name)
  const spec = rule && readApiRule(rule).spec
  if (spec === undefined) throw apiNotFound(name)
  return spec
}

async function findUsable(parts: ApiParts, caller: Caller, name: string) {
  const found = await findApi(parts, caller, name)
  const { spec } = found
  if (spec !== undefined) return { ...found, spec }
  throw new ToolError('conflict', `The API ${name} is closed: ${found.closed}`, {
    fix: 'Remove it and add it again.',
  })
}

function toKept(spec: ApiSpec, caller: Caller, secretsBy?: string): JsonValue {
  const { kind, id } = caller.principal
  const by = secretsOf(spec).length > 0 ? (secretsBy ?? `${kind}:${id}`) : undefined
  return JSON.parse(JSON.stringify({ ...spec, secretsBy: by })) as JsonValue
}

/** Everything that decides where secrets go, and which ones. */
function whereTo({ url, server, auth, headers }: ApiSpec): string {
  return JSON.stringify([url, server, auth, headers])
}

function merge(body: JsonValue, change: object): unknown {
  const merged = { ...(body as Record<string, unknown>), ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

function checkName(name: string): void {
  if (apiNameSchema.safeParse(name).success) return
  throw new ToolError('invalid_request', `${JSON.stringify(name.slice(0, 100))} is no name`, {
    fix: 'A name has at most 63 lower case letters, digits, dashes and underscores.',
  })
}

/** Before a document is fetched for nothing; it is checked again when the API is kept. */
async function refuseTaken(parts: ApiParts, caller: Caller, name: string): Promise<void> {
  if ((await parts.rules.find(caller.tenant, 'api', name)) !== undefined) throw taken(name)
}

function taken(name: string): ToolError {
  return new ToolError('conflict', `There is an API ${name} already`, {
    fix: `Choose another name, or change it: toolcrib apis change ${name} …`,
  })
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `A tenant may have ${mostOfTenant} APIs`, {
    fix: 'Remove APIs you do not need.',
  })
}

function changedSince(): ToolError {
  return new ToolError('conflict', 'The document has changed since you looked at it', {
    fix: 'Preview it again.',
  })
}

function noServer(): ToolError {
  return new ToolError('invalid_request', 'An API needs the address of its server', {
    issues: [{ path: '/server', message: 'can not be removed' }],
  })
}
