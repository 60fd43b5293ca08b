import type { Caller } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { unifiedDiff } from '../../core/kernel/text/diff/unified-diff.ts'
import { toVersionHash } from '../versions/to-version-hash.ts'
import { checkSource } from './check-source.ts'
import { assertAuthoring } from './find-source.ts'
import { isPublishable } from './model/check-document.ts'
import type { AuthoringParts } from './parts.ts'
import { readPublished } from './rules.ts'
import type { SourcePreview } from './schemas.ts'
import { simulateSight } from './simulate-sight.ts'

/** Everything that publishing a document would do, without keeping it. */
export async function previewSource(
  caller: Caller,
  document: JsonValue,
  parts: AuthoringParts,
): Promise<SourcePreview> {
  assertAuthoring(parts)
  const { tool, findings } = await checkSource(caller, document, parts)
  if (tool === undefined) return { findings, isPublishable: false }
  const { contract } = tool
  const before = await findPublished(caller.tenant, contract.name, parts)
  return {
    findings,
    isPublishable: isPublishable(findings),
    effect: contract.effect,
    secrets: contract.secrets.map(({ key }) => key),
    sight: await simulateSight(caller, tool, parts),
    hash: toVersionHash(document),
    diff: unifiedDiff({
      path: `${contract.name}.tool.json`,
      before: before === undefined ? undefined : toText(before),
      after: toText(document),
    }).text,
  }
}

/** The document in force. */
export async function findPublished(
  tenant: string,
  name: string,
  { store, versions }: Pick<AuthoringParts, 'store' | 'versions'>,
): Promise<JsonValue | undefined> {
  const rule = await store.rules.find(tenant, 'tool', name)
  const hash = rule && readPublished(rule)?.hash
  if (hash === undefined) return undefined
  return (await versions.find(tenant, 'tool', { name, hash }))?.body
}

function toText(document: JsonValue): string {
  return `${JSON.stringify(document, undefined, 2)}\n`
}
