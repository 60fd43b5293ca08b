import type { Finding } from '../../../core/kernel/finding.ts'
import { effects, type ToolContract } from '../../../core/kernel/tool.ts'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { parseUrlTemplate } from '../kinds/http/url-template.ts'
import type { ToolDocument } from '../model/tool-document.ts'

/** A document with the facts that it has as a tool. */
export interface Compared {
  document: ToolDocument
  contract: ToolContract
}

/**
 * Everything in which a document would let its callers do more than the version before it: nobody
 * widens rights through a tool call, even with an approval. A new tool has no version before it; it
 * may do what its calls may do, but may name no secrets, because nobody gave it any.
 */
export function findLoosened(before: Compared | undefined, after: Compared): Finding[] {
  const rules = before === undefined ? [] : compare(before.contract, after.contract)
  const [loose, secrets] = [rules, findSecrets(before, after)]
  const shown = findPreview(before, after)
  return [...loose, ...shown, ...secrets].map(([path, message]) => ({
    path,
    message,
    severity: 'error',
  }))
}

type Loosened = readonly [path: string, message: string]

function compare(before: ToolContract, after: ToolContract): Loosened[] {
  const rank = ({ effect }: ToolContract) => effects.indexOf(effect)
  const rules: [isLooser: boolean, ...Loosened][] = [
    [
      before.approval === 'always' && after.approval !== 'always',
      '/approval',
      'would no longer require approval',
    ],
    [
      before.permission !== undefined && after.permission !== before.permission,
      '/permission',
      `would no longer require the permission ${before.permission}`,
    ],
    [rank(after) < rank(before), '/effect', `would be lower than ${before.effect}`],
    [before.openWorld && !after.openWorld, '/openWorld', 'would no longer count as open world'],
    [
      before.runtimes.length > 0 && !isWithin(after.runtimes, before.runtimes),
      '/runtimes',
      `would be more than ${before.runtimes.join(', ')}`,
    ],
    [
      before.preview?.binds === true && after.preview?.binds !== true,
      '/previewBinds',
      'would no longer bind approvals to what the preview shows',
    ],
    [after.cost < before.cost, '/cost', `would be less than ${before.cost}, which budgets count`],
    [
      (after.concurrency ?? Infinity) > (before.concurrency ?? Infinity),
      '/concurrency',
      `would be more than ${before.concurrency}`,
    ],
  ]
  return rules.flatMap(([isLooser, path, message]) => (isLooser ? [[path, message] as const] : []))
}

/** An empty list means all. */
function isWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return inner.length > 0 && inner.every((one) => outer.includes(one))
}

/** People approve calls by their preview, so only people change how it is made. */
function findPreview(before: Compared | undefined, after: Compared): Loosened[] {
  if (before?.contract.preview === undefined) return []
  const [old, fresh] = [before.document.preview, after.document.preview]
  if (canonicalJson(old) === canonicalJson(fresh)) return []
  return [['/preview', 'would show approvers something else']]
}

/** A secret goes where a person sent it, and nowhere else. */
function findSecrets(before: Compared | undefined, after: Compared): Loosened[] {
  const known = new Set(before?.contract.secrets.map(({ key }) => key))
  const used = after.contract.secrets.map(({ key }) => key)
  const added = used.filter((key) => !known.has(key))
  if (added.length > 0) return [['/secrets', `would be given ${added.join(', ')}`]]
  if (used.length === 0 || before === undefined) return []
  const [from, to] = [originOf(before.document), originOf(after.document)]
  if (from === to) return []
  return [['/spec', `would send ${used.join(', ')} to ${to ?? 'another place'}`]]
}

function originOf({ spec }: ToolDocument): string | undefined {
  const url: unknown = isRecord(spec) ? spec['url'] : undefined
  if (typeof url !== 'string') return undefined
  const template = parseUrlTemplate(url)
  return 'problem' in template ? undefined : template.origin
}
