import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import { pinName } from '../../core/gateway/tool-pin.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'
import { holds } from '../../core/operations/require-permission.ts'
import { serverNotFound } from './find-server.ts'
import { changeRules, checkName, findOwn, type McpServerParts, taken } from './parts.ts'
import { readServer } from './read-servers.ts'
import { readKept, toKept } from './secret-use.ts'
import { toFacts } from './server-facts.ts'
import { checkServer } from './server-rules.ts'

/** Each may be a process or a connection. */
const mostOfTenant = 100

/** Adds a server to a tenant. */
export async function addServer(
  parts: McpServerParts,
  caller: Caller,
  { name, spec }: { name: string; spec: object },
): Promise<void> {
  checkName(name, parts.declared)
  const body = checkServer(spec, caller, parts.terms)
  requireApprover(caller, body)
  await changeRules(parts, caller, async (draft) => {
    if ((await draft.find('mcp-server', name)) !== undefined) throw taken(name)
    if ((await draft.list('mcp-server')).length >= mostOfTenant) throw tooMany()
    await draft.put('mcp-server', name, { body: toKept(body, caller) })
    draft.tell('mcp.server.added', { server: name, ...toFacts(body) })
  })
}

/** Fields in the request replace the previous ones; null removes one. */
export async function changeServer(
  parts: McpServerParts,
  caller: Caller,
  { name, change }: { name: string; change: object },
): Promise<void> {
  await findOwn(caller, name, parts.servers)
  await changeRules(parts, caller, async (draft) => {
    const rule = await draft.find('mcp-server', name)
    if (rule === undefined) throw serverNotFound(name)
    const before = { ...readKept(rule.body), spec: readServer(rule, parts.terms).spec }
    const body = checkChange(merge(before.body, change), { before, caller }, parts)
    requireApprover(caller, body, before.spec)
    await draft.put('mcp-server', name, { body: toKept(body, caller, before) })
    const fields = Object.keys(change).sort()
    draft.tell('mcp.server.changed', { server: name, fields, ...toFacts(body) })
  })
}

/** Also removes its pins and connections, and ends its processes. */
export async function removeServer(
  parts: McpServerParts,
  caller: Caller,
  name: string,
): Promise<void> {
  await findOwn(caller, name, parts.servers)
  await changeRules(parts, caller, async (draft) => {
    if (!(await draft.delete('mcp-server', name))) throw serverNotFound(name)
    await dropPins(draft, name, caller)
    draft.tell('mcp.server.removed', { server: name })
  })
  // A new server of this name is listed before any of its tools can be used.
  await parts.store.gateway.forget({ tenant: caller.tenant, server: name })
}

/**
 * Without pins every definition a server sends is accepted; `effects`, `trustHints` and `previewWith`
 * decide which calls need approval: permission to manage servers is not enough for any of these.
 */
function requireApprover(caller: Caller, after: McpServerSpec, before?: McpServerSpec): void {
  if (holds(caller, 'tools.approve')) return
  if (!after.pin && before?.pin !== false) throw forApprovers('Turning pins off', 'pin')
  for (const field of ['effects', 'trustHints'] as const) {
    const isSame =
      canonicalJson(after[field]) === canonicalJson(before?.[field] ?? emptyOf(after[field]))
    if (!isSame) throw forApprovers('Saying what tools do', field)
  }
  // A preview calls the server without anybody's approval.
  if (previewsOf(after) !== previewsOf(before)) {
    throw forApprovers('Naming what only tries a call', 'previewWith')
  }
}

function previewsOf(spec: McpServerSpec | undefined): string {
  return canonicalJson(spec?.previewWith ?? {})
}

function emptyOf(value: object): JsonValue {
  return Array.isArray(value) ? [] : {}
}

function forApprovers(what: string, field: string): ToolError {
  return new ToolError('forbidden', `${what} needs the permission tools.approve`, {
    fix: `Omit ${field}, or ask someone who may accept tools.`,
  })
}

/** Removed servers whose pins are kept. */
const mostKept = 100

/**
 * Pins are removed with their server if the caller could accept its tools anyway. Otherwise they
 * are kept under its name; without them a quarantined tool would be new, and in use, with the next
 * server of that name.
 */
async function dropPins(draft: RuleDraft, server: string, caller: Caller): Promise<void> {
  if (holds(caller, 'tools.approve')) return draft.deleteUnder('mcp-pin', pinName(server, ''))
  const pins = await draft.list('mcp-pin')
  const there = new Set((await draft.list('mcp-server')).map(({ name }) => name))
  const kept = new Set(pins.map(({ name }) => name.split('/')[0] ?? ''))
  if ([...kept].filter((name) => !there.has(name)).length <= mostKept) return
  throw new ToolError('quota_exceeded', `Pins of ${mostKept} removed servers are already kept`, {
    fix: 'Ask someone with the permission tools.approve to remove it: then no pins are kept.',
  })
}

/**
 * A caller who may not add such a server may still change other fields of one that someone else has
 * added.
 */
function checkChange(
  value: unknown,
  { before, caller }: { before: { spec: McpServerSpec | undefined }; caller: Caller },
  { terms }: McpServerParts,
): McpServerSpec {
  const { spec } = before
  const asked = value as { private?: boolean; url?: string }
  const isSame = spec?.private === true && asked.private === true && asked.url === spec.url
  if (!isSame) return checkServer(value, caller, terms)
  const { private: _private, ...rest } = asked
  return { ...checkServer(rest, caller, terms), private: true }
}

function merge(body: JsonValue, change: object): unknown {
  const merged = { ...(body as Record<string, unknown>), ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `A tenant may have ${mostOfTenant} MCP servers`, {
    fix: 'Remove servers you do not need.',
  })
}
