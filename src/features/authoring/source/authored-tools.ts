import { isToolName } from '../../../core/kernel/names.ts'
import type { Registry } from '../../../core/registry.ts'
import { toSetBy } from '../../../core/rules/read-rules.ts'
import type { Rule } from '../../../core/rules/rule-store.ts'
import type { TenantView } from '../../../core/rules/tenant-view.ts'
import type { SourceChanged, ToolSource } from '../../../core/sources/tool-source.ts'
import { draftHashOf } from '../../../core/tool-version.ts'
import type { OwnTool } from '../../../core/tenant-tables.ts'
import type { VersionStore } from '../../versions/version-store.ts'
import type { SpecKind } from '../kinds/spec-kind.ts'
import { compileDocument, type ReservedPacks } from '../model/compile-document.ts'
import { readDocument } from '../model/read-document.ts'
import { readPublished } from '../rules.ts'
import { atOnce } from '../model/at-once.ts'
import { compileAll, type MadeTool } from './compile-all.ts'
import { createHeldDocuments, type HeldDocument } from './held-documents.ts'
import { createOverrideReader } from './read-overrides.ts'

interface SourceParts {
  versions: Pick<VersionStore, 'readBodies' | 'find'>
  registry: Pick<Registry, 'find' | 'watchLists'>
  kinds: readonly SpecKind[]
  reserved(): ReservedPacks
  onWarning(message: string): void
}

/** The published tools of tenants, and their changes to tools of others. */
export interface AuthoredTools extends ToolSource {
  /** The published documents of a tenant, by name. */
  documentsOf(tenant: string, rules: readonly Rule[]): Promise<ReadonlyMap<string, HeldDocument>>
  close(): void
}

export function createAuthoredTools(parts: SourceParts): AuthoredTools {
  const { versions, kinds, registry, reserved } = parts
  const documentsOf = createHeldDocuments(versions, kinds)
  const made = new Map<string, ReadonlyMap<string, MadeTool>>()
  const follower = createFollower(parts, made)

  async function toolsFor(view: TenantView): Promise<OwnTool[]> {
    const { slug } = view.tenant
    const rules = view.rules.get('tool') ?? []
    const documents = await documentsOf(slug, rules)
    if (documents.size === 0) {
      made.delete(slug)
      return []
    }
    const others = { find: (name: string) => findOther(registry, slug, name), names: () => [] }
    const before = made.get(slug) ?? new Map<string, MadeTool>()
    const tools = compileAll({ documents, before, others, reserved: reserved() })
    made.set(slug, tools)
    return rules.flatMap((rule) => toOwnTool(rule, tools.get(rule.name)))
  }
  return {
    name: 'authored',
    isYielding: true,
    toolsFor: async (owner) => (owner === 'everyone' ? [] : toolsFor(owner)),
    overridesFor: createOverrideReader(),
    watch: follower.watch,
    async findVersion(owner, name, hash) {
      if (owner === 'everyone') return undefined
      const draft = draftHashOf(hash)
      const key = { name, hash: draft ?? hash }
      const kind = draft === undefined ? 'tool' : 'draft'
      const version = await versions.find(owner.tenant.slug, kind, key)
      const read = version && readDocument(version.body, kinds)
      if (read?.document === undefined || read.document.name !== name) return undefined
      const find = (other: string) => registry.find(other, owner.tenant.slug)?.contract
      const derived = read.kind.derive(read.document, { find, names: () => [] })
      const { tool } = compileDocument(read.document, read.kind, { derived, reserved: reserved() })
      if (tool === undefined) return undefined
      return { tool: draft === undefined ? tool : atOnce(tool), origin: { version: hash } }
    },
    documentsOf,
    close: follower.close,
  }
}

/** A tool of another source: our own in the registry may be older than their documents. */
function findOther(registry: Pick<Registry, 'find'>, tenant: string, name: string) {
  const contract = registry.find(name, tenant)?.contract
  return contract?.source === 'authored' || contract?.name !== name ? undefined : contract
}

/** The same texts for the same rule, so that an unchanged tool is the same for the registry. */
function toOwnTool(rule: Rule, compiled: MadeTool | undefined): OwnTool[] {
  if (compiled === undefined || !isToolName(rule.name)) return []
  const { tool, hash, problem } = compiled
  const isOff = readPublished(rule)?.isEnabled === false
  const quarantine = problem ?? (isOff ? `It is disabled by ${toSetBy(rule)}` : undefined)
  return [{ tool, origin: { version: hash }, ...(quarantine !== undefined && { quarantine }) }]
}

/**
 * The facts of a document that calls other tools follow theirs, so it is made again when they change:
 * with a new file of code, or once a server has listed its tools.
 */
function createFollower(
  { registry, onWarning }: SourceParts,
  made: ReadonlyMap<string, ReadonlyMap<string, MadeTool>>,
) {
  const waiting = new Set<string>()
  let changed: SourceChanged | undefined
  const depends = (tenant: string) =>
    [...(made.get(tenant)?.values() ?? [])].some(({ derived }) => derived !== undefined)

  const run = () => {
    const tenants = [...waiting]
    waiting.clear()
    for (const tenant of tenants) {
      changed?.(tenant).catch((error: unknown) =>
        onWarning(`Authored tools could not be made again: ${String(error)}`),
      )
    }
  }
  const close = registry.watchLists((tenant) => {
    const slugs = tenant === undefined ? [...made.keys()] : [tenant]
    const found = slugs.filter(depends)
    if (found.length === 0) return
    if (waiting.size === 0) queueMicrotask(run)
    for (const slug of found) waiting.add(slug)
  })
  return { watch: (given: SourceChanged) => void (changed = given), close }
}
