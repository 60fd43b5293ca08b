import { z } from 'zod'
import { ToolError } from '../../core/kernel/errors.ts'
import { flowKey, type SessionFlag, type SessionFlagStore } from '../../core/flow/session-flags.ts'
import type { LabelRule } from '../../core/kernel/tool-labels.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { compilePattern } from '../../core/patterns/patterns.ts'
import type { Store } from '../../core/ports.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import { label, labelRequest, sessionFlag, type Label } from './schemas.ts'

/** The dependencies of the operations on labels and flags. */
export interface DataFlowParts {
  ruleStore: Store['rules']
  sessionFlags: SessionFlagStore
  rules: TenantRules
}

/** Every label is compared with every tool once. */
const maxLabels = 500

const define = operationsOf<DataFlowParts>('Access')
const ofPattern = {
  params: { pattern: 'A tool, or a pattern: web.*, pack:web, *' },
  hasChosenName: true,
}
const ofSession = {
  params: { sessionId: 'The session id that calls use' },
  hasChosenName: true,
}
const flags = z.object({ items: z.array(sessionFlag) })

const listLabels = define({
  http: 'GET /api/v1/labels',
  summary: 'List labels',
  description:
    'The data that tools read and their effects, as set by the configuration and the tenant. The data-flow rule uses them.',
  needs: 'policy.read',
  agents: 'none',
  answer: { description: 'The labels', schema: z.object({ items: z.array(label) }) },
  async run(_input, { caller, parts }) {
    return { items: (await parts.rules.listLabels(caller.tenant)).map(toLabel) }
  },
})

const findLabel = define({
  http: 'GET /api/v1/labels/{pattern}',
  summary: 'Get a label of the tenant',
  needs: 'policy.read',
  agents: 'none',
  ...ofPattern,
  answer: { description: 'The label', schema: label },
  async run({ pattern }, { caller, parts }) {
    const found = await findOwn(parts, caller.tenant, pattern)
    if (found === undefined) throw labelNotFound(pattern)
    return found
  },
})

const writeLabel = define({
  http: 'PUT /api/v1/labels/{pattern}',
  summary: 'Create or replace a label',
  description:
    'An omitted field states nothing. A tenant can add to the labels of the configuration but cannot remove from them.',
  needs: 'policy.write',
  agents: 'none',
  ...ofPattern,
  body: labelRequest,
  answer: { description: 'The label', schema: label },
  async run({ pattern, reads, effects }, { caller, parts }) {
    const { tenant, principal } = caller
    const { ruleStore, rules } = parts
    compilePattern(pattern, (await rules.findWords(tenant)).groups)
    const body = { ...(reads && { reads: [...new Set(reads)] }), ...(effects && { effects }) }
    await ruleStore.change(tenant, principal, async (draft) => {
      const known = await draft.find('label', pattern)
      if (known === undefined && (await draft.list('label')).length >= maxLabels) throw tooMany()
      await draft.put('label', pattern, { body })
      const change = known === undefined ? 'created' : 'changed'
      draft.tell('policy.changed', { kind: 'label', name: pattern, change, label: body })
    })
    await rules.refresh()
    const written = await findOwn(parts, tenant, pattern)
    const warnings = await rules.findPatternWarnings(tenant, [
      { where: 'pattern', patterns: [pattern] },
    ])
    // Somebody else may have deleted it in the meantime.
    const gone = {
      pattern,
      ...body,
      isDeclared: false,
      setBy: 'nobody: it was deleted in the meantime',
    }
    return { ...(written ?? gone), warnings }
  },
})

const deleteLabel = define({
  http: 'DELETE /api/v1/labels/{pattern}',
  summary: 'Delete a label of the tenant',
  needs: 'policy.write',
  agents: 'none',
  ...ofPattern,
  async run({ pattern }, { caller, parts }) {
    await parts.ruleStore.change(caller.tenant, caller.principal, async (draft) => {
      if (!(await draft.delete('label', pattern))) throw labelNotFound(pattern)
      draft.tell('policy.changed', { kind: 'label', name: pattern, change: 'deleted' })
    })
    await parts.rules.refresh()
  },
})

const listSessionFlags = define({
  http: 'GET /api/v1/session-flags/{sessionId}',
  summary: 'List the flags of a session',
  description: 'Whether it has read untrusted or private data, and the first call that did.',
  needs: 'policy.read',
  agents: 'none',
  ...ofSession,
  answer: { description: 'Its flags', schema: flags },
  async run({ sessionId }, { caller, parts }) {
    const items = await parts.sessionFlags.read(caller.tenant, flowKey({ sessionId }))
    return { items: assertFlags(sessionId, items) }
  },
})

const clearSessionFlags = define({
  http: 'DELETE /api/v1/session-flags/{sessionId}',
  summary: 'Clear the flags of a session',
  description:
    'For a person who has checked what the session has read. The event log records who cleared them.',
  needs: 'policy.write',
  // A model with the key of its agent could otherwise clear its own flags.
  agents: 'none',
  ...ofSession,
  answer: { description: 'The flags it had', schema: flags },
  async run({ sessionId }, { caller, parts }) {
    const { tenant, principal } = caller
    const items = await parts.sessionFlags.clear(tenant, flowKey({ sessionId }), principal)
    return { items: assertFlags(sessionId, items) }
  },
})

/** Everything that can be asked about labels and flags, by library method. */
export const dataFlowOperations = {
  listLabels,
  findLabel,
  writeLabel,
  deleteLabel,
  listSessionFlags,
  clearSessionFlags,
}

/** A label of the tenant itself. */
async function findOwn(
  { rules }: DataFlowParts,
  tenant: string,
  pattern: string,
): Promise<Label | undefined> {
  const all = await rules.listLabels(tenant)
  const found = all.find((rule) => rule.origin === 'tenant' && rule.pattern === pattern)
  return found && toLabel(found)
}

function toLabel({ pattern, labels, origin, setBy, closed }: LabelRule): Label {
  const { reads, effects } = labels
  return {
    pattern,
    ...(reads && { reads: [...reads] }),
    ...(effects && { effects }),
    isDeclared: origin === 'configuration',
    setBy: closed === undefined ? setBy : `${setBy}; ${closed}, so the strictest label applies`,
  }
}

/** A session without flags, one of another tenant and an unknown one get the same answer. */
function assertFlags(sessionId: string, items: readonly SessionFlag[]): SessionFlag[] {
  if (items.length > 0) return [...items]
  throw new ToolError('not_found', `There are no flags for session ${JSON.stringify(sessionId)}`, {
    fix: 'According to the labels, it has read neither untrusted nor private data.',
  })
}

function labelNotFound(pattern: string): ToolError {
  return new ToolError('not_found', `There is no label ${JSON.stringify(pattern)}`, {
    fix: 'toolcrib labels lists them. Labels of the configuration can only be changed there.',
  })
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `A tenant may have ${maxLabels} labels`, {
    fix: 'Group tools with a pattern such as web.* or pack:web.',
  })
}
