import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Finding } from '../../core/kernel/finding.ts'
import type { SpecKind } from './kinds/spec-kind.ts'
import { pointerStep } from '../../core/kernel/json/json-pointer.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { knownTools, usesOf } from './find-source.ts'
import { checkDocument, type CheckedDocument } from './model/check-document.ts'
import { readDocument } from './model/read-document.ts'
import type { ToolDocument } from './model/tool-document.ts'
import type { AuthoringParts } from './parts.ts'

/** Checks a document against everything that its tenant has. Never throws for what is given. */
export async function checkSource(
  { tenant }: Pick<Caller, 'tenant'>,
  given: unknown,
  parts: AuthoringParts,
): Promise<CheckedDocument> {
  await parts.ports.readyTools(tenant)
  const { kinds } = parts
  const known = knownTools(parts, tenant)
  const checked = checkDocument(given, { kinds, known, reserved: parts.reserved() })
  const { document, findings } = checked
  if (document === undefined) return checked
  const rules = await parts.rules.list(tenant, 'tool')
  const published = await parts.source.documentsOf(tenant, rules)
  const { kind } = readDocument(given, kinds)
  const find = (name: string) => usesOf(name, { tenant, published, registry: parts.registry })
  const cycle = kind && findCycle(document, kind, find)
  return cycle === undefined ? checked : { ...checked, findings: [cycle, ...findings] }
}

/** The error for a document with errors. The first one is in its message. */
export function refuseInvalid(name: string, findings: readonly Finding[]): ToolError {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const place = first?.path === '' ? 'The document' : (first?.path ?? '')
  return new ToolError('invalid_tool', `Tool ${name.slice(0, 120)}: ${place} ${first?.message}`, {
    issues: errors.map(({ path, message }) => ({ path, message })),
    ...(first?.fix !== undefined && { fix: first.fix }),
  })
}

/** A tool that calls itself through others would call forever. */
function findCycle(
  document: ToolDocument,
  kind: SpecKind,
  usesOfOther: (tool: string) => readonly string[],
): Finding | undefined {
  const { name } = document
  const seen = new Set<string>()
  const walk = (chain: readonly string[], uses: readonly string[]): string[] | undefined => {
    for (const used of uses) {
      if (used === name) return [...chain, used]
      if (seen.has(used)) continue
      seen.add(used)
      const found = walk([...chain, used], usesOfOther(used))
      if (found !== undefined) return found
    }
    return undefined
  }
  const chain = walk([name], kind.uses?.(document) ?? [])
  if (chain === undefined) return undefined
  const message = `calls itself: ${chain.join(' → ')}`
  const path = findText(document.spec, chain[1] ?? '', '/spec') ?? '/spec'
  return { path, message, severity: 'error' }
}

/** The place of a text, such as the name of a tool in a step. */
function findText(value: unknown, text: string, path: string): string | undefined {
  if (value === text) return path
  const members = isRecord(value) || Array.isArray(value) ? Object.entries(value) : []
  for (const [key, member] of members) {
    const found = findText(member, text, pointerStep(path, key))
    if (found !== undefined) return found
  }
  return undefined
}
