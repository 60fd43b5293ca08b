import type { Caller } from '../../../core/kernel/call.ts'
import type { AuthoringChange } from '../../../core/kernel/context/tool-authoring.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { Tool } from '../../../core/kernel/tool.ts'
import type { RuleKind } from '../../../core/rules/rule-store.ts'
import { checkSource, refuseInvalid } from '../check-source.ts'
import { assertAuthoring, assertOwnName, findUses } from '../find-source.ts'
import { isPublishable } from '../model/check-document.ts'
import type { ToolDocument } from '../model/tool-document.ts'
import type { AuthoringParts } from '../parts.ts'
import { findLoosened } from './find-loosened.ts'
import { findSeen } from './read-for-caller.ts'

/** A document and the tool that it makes. */
export interface PlannedSide {
  document: JsonValue
  /** Undefined for a version in force that makes no tool any more. */
  tool?: Tool | undefined
}

/** A change that may be made, with what was there before. */
export interface PlannedChange {
  name: string
  action: AuthoringChange['action']
  before?: PlannedSide
  after?: PlannedSide & { tool: Tool }
  findings: readonly Finding[]
}

/** Throws the reason why this caller can't make this change. */
export async function planChange(
  caller: Caller,
  change: AuthoringChange,
  parts: AuthoringParts,
): Promise<PlannedChange> {
  assertAuthoring(parts)
  await parts.ports.readyTools(caller.tenant)
  return change.action === 'delete'
    ? planRemoval(caller, change, parts)
    : planDocument(caller, change, parts)
}

type Writing = Exclude<AuthoringChange, { action: 'delete' }>

async function planDocument(
  caller: Caller,
  change: Writing,
  parts: AuthoringParts,
): Promise<PlannedChange> {
  const { document, tool, findings } = await compile(caller, change.document, parts)
  const { name } = document
  assertOwnName(name, caller, parts)
  const earlier = await findEarlier(caller, { change, name }, parts)
  const compared = await Promise.all(earlier.map((one) => toCompared(caller, one, parts)))
  if (compared.includes(undefined)) throw unreadable(name)
  const next = { document, contract: tool.contract }
  for (const before of compared.length === 0 ? [undefined] : compared) {
    const loosened = findLoosened(before, next)
    if (loosened.length > 0) throw widening(name, loosened)
  }
  const [inForce] = change.action === 'update' ? earlier : []
  return {
    name,
    action: change.action,
    ...(inForce !== undefined && { before: { document: inForce, tool: compared[0]?.tool } }),
    after: { document: change.document, tool },
    findings,
  }
}

async function compile(caller: Caller, given: JsonValue, parts: AuthoringParts) {
  const { document, tool, findings } = await checkSource(caller, given, parts)
  if (document !== undefined && tool !== undefined && isPublishable(findings)) {
    return { document, tool, findings }
  }
  const { name } = (given ?? {}) as { name?: unknown }
  throw refuseInvalid(typeof name === 'string' ? name : '(without a name)', findings)
}

const versionsAtMost = 100

/**
 * The version in force; all versions of a removed tool of that name, because the latest may be one
 * that people took back.
 */
async function findEarlier(
  caller: Caller,
  { change, name }: { change: Writing; name: string },
  parts: AuthoringParts,
): Promise<JsonValue[]> {
  const { tenant } = caller
  if (change.action === 'update') {
    const { version, document } = await findSeen(caller, name, parts)
    assertVersion(name, version, change.version)
    return [document]
  }
  if ((await parts.store.rules.find(tenant, 'tool', name)) !== undefined) throw taken(name)
  const query = { limit: versionsAtMost }
  const { items, next } = await parts.versions.list(tenant, { kind: 'tool', name }, query)
  if (next !== undefined) throw unreadable(name)
  const kept = await Promise.all(
    items.map(({ hash }) => parts.versions.find(tenant, 'tool', { name, hash })),
  )
  return kept.flatMap((version) => (version === undefined ? [] : [version.body]))
}

async function toCompared(caller: Caller, document: JsonValue, parts: AuthoringParts) {
  const checked = await checkSource(caller, document, parts)
  if (checked.document === undefined || checked.tool === undefined) return undefined
  return { document: checked.document, tool: checked.tool, contract: checked.tool.contract }
}

async function planRemoval(
  caller: Caller,
  { name, version: given }: Extract<AuthoringChange, { action: 'delete' }>,
  parts: AuthoringParts,
): Promise<PlannedChange> {
  const { version, document } = await findSeen(caller, name, parts)
  assertVersion(name, version, given)
  const users = await findRelying(caller.tenant, name, parts)
  if (users.length > 0) throw inUse(name, users)
  const { tool } = await checkSource(caller, document, parts)
  return { name, action: 'delete', before: { document, tool }, findings: [] }
}

/** Rules that may name a tool. */
const namingKinds = [
  'policy',
  'provider',
  'profile',
  'group',
  'label',
  'limit',
  'network',
  'override',
] as const satisfies readonly RuleKind[]

/** Users of the tool, and rules that name it. */
async function findRelying(tenant: string, name: string, parts: AuthoringParts): Promise<string[]> {
  const { tools, agents, schedules } = await findUses(tenant, name, parts)
  const rules = await Promise.all(
    namingKinds.map((kind) => parts.store.rules.readUnder(tenant, kind, '')),
  )
  const text = JSON.stringify(name)
  const naming = rules
    .flat()
    .filter((rule) => rule.name === name || JSON.stringify(rule.body).includes(text))
    .map(({ kind, name: rule }) => `${kind} ${rule}`)
  const users = [...tools, ...agents.map((agent) => `agent:${agent}`)]
  return [...users, ...schedules.map((schedule) => `schedule ${schedule}`), ...naming]
}

function assertVersion(name: string, inForce: string, given: string): void {
  if (inForce === given) return
  throw new ToolError('conflict', `${name} has changed: version ${inForce} is in force`, {
    fix: 'Read it again with action get, then change that version.',
    details: { version: inForce },
  })
}

function taken(name: string): ToolError {
  return new ToolError('name_taken', `There is already a tool named ${name}`, {
    fix: 'Choose another name, or use action update.',
    details: { name },
  })
}

const byPeople = 'Ask a person to publish it in the studio.'

function widening(name: string, loosened: readonly Finding[]): ToolError {
  const [first] = loosened
  return new ToolError(
    'denied',
    `${name} would be allowed more than before: ${first?.path} ${first?.message}`,
    { issues: loosened.map(({ path, message }) => ({ path, message })), fix: byPeople },
  )
}

function unreadable(name: string): ToolError {
  return new ToolError(
    'denied',
    `The earlier versions of ${name} can't be compared with this one`,
    {
      fix: byPeople,
    },
  )
}

function inUse(name: string, users: readonly string[]): ToolError {
  const named = users.slice(0, 20).join(', ')
  return new ToolError('conflict', `${name} is in use: ${named}`, {
    fix: 'Remove it there first, or ask a person to delete it.',
  })
}

/** The document as authors know it. */
export function asDocument(document: JsonValue): ToolDocument {
  return document as unknown as ToolDocument
}
