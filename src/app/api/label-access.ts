import type { Caller } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { ExplainApi, LabelSetting } from '../../core/explain/explain-api.ts'
import type { LabelRule, ToolLabels } from '../../core/flow/tool-labels.ts'
import { compilePattern } from '../../core/policy/patterns.ts'
import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { type Config, labelSchema } from '../config-schema.ts'
import { readLabels } from '../governance/read-labels.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { requireManager, requirePermission } from './permissions.ts'
import { readWith } from '../../core/schema/read-with.ts'

type LabelAccess = Pick<ExplainApi, 'listLabels' | 'writeLabel' | 'deleteLabel'>

interface LabelAccessOptions {
  config: Pick<Config, 'labels' | 'profiles' | 'groups'>
  store: Pick<Store, 'rules'>
  registry: Registry
  views: TenantViews
}

/** Each is tried on every tool once. */
const mostOfTenant = 500

/** What a tenant says of tools for the data-flow rule. */
export function createLabelAccess(options: LabelAccessOptions): LabelAccess {
  const { config, store, views } = options
  return {
    async listLabels(caller) {
      requirePermission(caller, 'policy.read')
      const view = await views.find(caller.tenant)
      return readLabels(config.labels, view).map(toSetting)
    },
    async writeLabel(caller, pattern, labels) {
      requireManager(caller, ['policy.write'])
      const body = await checkLabel(caller, { pattern, labels }, options)
      await store.rules.change(caller.tenant, caller.principal, async (draft) => {
        const known = await draft.find('label', pattern)
        if (known === undefined && (await draft.list('label')).length >= mostOfTenant) {
          throw tooMany()
        }
        await draft.put('label', pattern, { body })
        const change = known === undefined ? 'created' : 'changed'
        draft.tell('policy.changed', { kind: 'label', name: pattern, change, label: body })
      })
      await views.refresh()
      const all = readLabels({}, await views.find(caller.tenant)).map(toSetting)
      const setting = all.find((candidate) => candidate.pattern === pattern)
      // Somebody else may have deleted it already.
      return setting ?? { pattern, ...labels, isDeclared: false, setBy: 'nobody any more' }
    },
    async deleteLabel(caller, pattern) {
      requireManager(caller, ['policy.write'])
      await store.rules.change(caller.tenant, caller.principal, async (draft) => {
        if (!(await draft.delete('label', pattern))) throw notFound(pattern)
        draft.tell('policy.changed', { kind: 'label', name: pattern, change: 'deleted' })
      })
      await views.refresh()
    },
  }
}

/** The label as it is stored. Throws invalid_policy for a pattern that fits nothing, invalid_request for the rest. */
async function checkLabel(
  caller: Caller,
  { pattern, labels }: { pattern: string; labels: ToolLabels },
  { config, registry, views }: LabelAccessOptions,
): Promise<{ reads?: string[]; effects?: string }> {
  const words = toWords(await views.find(caller.tenant), config, registry.packs())
  compilePattern(pattern, words.groups)
  const parsed = readWith(labelSchema, labels)
  if (!parsed.ok) {
    const { issues } = parsed
    throw new ToolError('invalid_request', 'The label is not well formed', { issues })
  }
  const { reads, effects } = parsed.value
  return { ...(reads && { reads: [...new Set(reads)] }), ...(effects && { effects }) }
}

function toSetting({ pattern, labels, origin, setBy, closed }: LabelRule): LabelSetting {
  const told = closed === undefined ? setBy : `${setBy}; ${closed}, so it says the strictest`
  return { pattern, ...labels, isDeclared: origin === 'configuration', setBy: told }
}

function notFound(pattern: string): ToolError {
  return new ToolError('not_found', `There is no label ${JSON.stringify(pattern.slice(0, 200))}`, {
    fix: 'toolcrib labels lists them; what configuration declares is changed there.',
  })
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', `A tenant may have ${mostOfTenant} labels`, {
    fix: 'Put tools together with a pattern such as web.* or pack:web.',
  })
}
