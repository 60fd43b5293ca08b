import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import type { Rule, RuleDraft } from '../../core/rules/rule-store.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { refuseInvalid } from './check-source.ts'
import { assertAuthoring, findUses, toolNotFound } from './find-source.ts'
import { checkOverride, overrideSpec, type OverrideSpec } from './model/override.ts'
import type { AuthoringParts } from './parts.ts'
import { draftPrefix, readPublished } from './rules.ts'
import type { ChangedTool, ToolChange, UsedBy } from './schemas.ts'

/** Enables or disables a tool for the tenant, and changes facts of a tool of others. */
export async function changeTool(
  caller: Caller,
  { name, ...change }: ToolChange & { name: string },
  parts: AuthoringParts,
): Promise<ChangedTool> {
  assertAuthoring(parts)
  const { tenant, principal } = caller
  await parts.ports.readyTools(tenant)
  const usedBy = await findUses(tenant, name, parts)
  const authored = await parts.store.rules.find(tenant, 'tool', name)
  if (authored === undefined)
    assertChangeable(name, change, toolsOf(parts.registry, tenant).find(name))
  else if (change.override) throw notOverridable(name)
  await parts.store.rules.change(tenant, principal, (draft) =>
    authored === undefined
      ? writeOverride(draft, { name, change, usedBy })
      : writeEnabled(draft, { name, change, usedBy }),
  )
  await parts.rules.refresh()
  return { name, ...(await readState(tenant, name, parts)), usedBy }
}

/** Removes an authored tool with its drafts, or the override of another. Its versions stay. */
export async function removeTool(
  { tenant, principal }: Caller,
  { name, version }: { name: string; version?: string },
  parts: AuthoringParts,
): Promise<{ name: string; usedBy: UsedBy }> {
  const usedBy = await findUses(tenant, name, parts)
  await parts.store.rules.change(tenant, principal, async (draft) => {
    if (version !== undefined) assertInForce(name, await draft.find('tool', name), version)
    const wasAuthored = await draft.delete('tool', name)
    const wasOverridden = await draft.delete('override', name)
    if (wasAuthored) {
      await draft.deleteUnder('tool-draft', draftPrefix(name))
      draft.tell('tool.removed', { tool: name })
    }
    if (wasOverridden) draft.tell('tool.overridden', { tool: name, facts: [] })
    if (!wasAuthored && !wasOverridden) throw toolNotFound(name)
  })
  await parts.rules.refresh()
  return { name, usedBy }
}

function assertInForce(name: string, rule: Rule | undefined, version: string): void {
  const hash = rule && readPublished(rule)?.hash
  if (hash === version) return
  throw new ToolError('conflict', `${name} has changed since it was read`, {
    fix: 'Read it again, then delete that version.',
    details: { version: hash },
  })
}

/** Whether the tool is enabled, and the facts that differ from its definition. */
export async function readState(
  tenant: string,
  name: string,
  { store }: Pick<AuthoringParts, 'store'>,
): Promise<{ isEnabled: boolean; override?: OverrideSpec }> {
  const [tool, changed] = await Promise.all([
    store.rules.find(tenant, 'tool', name),
    store.rules.find(tenant, 'override', name),
  ])
  const { isEnabled, ...facts } = overrideSpec.safeParse(changed?.body).data ?? {}
  const isOn = tool === undefined ? isEnabled !== false : readPublished(tool)?.isEnabled !== false
  return { isEnabled: isOn, ...(Object.keys(facts).length > 0 && { override: facts }) }
}

interface Writing {
  name: string
  change: ToolChange
  usedBy: UsedBy
}

async function writeEnabled(draft: RuleDraft, writing: Writing): Promise<void> {
  const { name, change } = writing
  const rule = await draft.find('tool', name)
  if (rule === undefined) throw toolNotFound(name)
  const before = readPublished(rule)
  if (before === undefined || before.isEnabled === change.isEnabled) return
  await draft.put('tool', name, { body: { ...before, isEnabled: change.isEnabled ?? true } })
  tellEnabled(draft, writing)
}

async function writeOverride(draft: RuleDraft, writing: Writing): Promise<void> {
  const { name, change } = writing
  const rule = await draft.find('override', name)
  const { isEnabled: was, ...before } = overrideSpec.safeParse(rule?.body).data ?? {}
  const facts = change.override === undefined ? before : (change.override ?? {})
  const wasEnabled = was !== false
  const isEnabled = change.isEnabled ?? wasEnabled
  const isChanged = canonicalJson(facts) !== canonicalJson(before)
  if (!isChanged && isEnabled === wasEnabled) return
  await keepOverride(draft, name, { ...facts, ...(!isEnabled && { isEnabled }) })
  if (isChanged) draft.tell('tool.overridden', { tool: name, facts: Object.keys(facts) })
  if (isEnabled !== wasEnabled) tellEnabled(draft, { ...writing, change: { isEnabled } })
}

/** Without facts there is none. */
async function keepOverride(draft: RuleDraft, name: string, facts: OverrideSpec): Promise<void> {
  if (Object.keys(facts).length === 0) await draft.delete('override', name)
  else await draft.put('override', name, { body: facts })
}

function tellEnabled(draft: RuleDraft, { name, change, usedBy }: Writing): void {
  if (change.isEnabled !== false) return draft.tell('tool.enabled', { tool: name })
  const { tools, agents, schedules } = usedBy
  const users = [
    ...tools,
    ...agents.map((agent) => `agent:${agent}`),
    ...schedules.map((schedule) => `schedule:${schedule}`),
  ]
  draft.tell('tool.disabled', { tool: name, ...(users.length > 0 && { usedBy: users }) })
}

function assertChangeable(
  name: string,
  { override }: ToolChange,
  entry: RegisteredTool | undefined,
): void {
  if (entry?.contract.name !== name) throw toolNotFound(name)
  if (!override) return
  const findings = checkOverride(override, entry.tool)
  if (findings.length > 0) throw refuseInvalid(name, findings)
}

function notOverridable(name: string): ToolError {
  return new ToolError('invalid_request', `${name} is a document of your own: change that`, {
    fix: `Save a draft of it: PUT /tools/${name}/draft.`,
  })
}
