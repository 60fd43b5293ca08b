import type { Finding } from '../../../core/kernel/finding.ts'
import type { Tool } from '../../../core/kernel/tool.ts'
import { checkPortability } from '../../../core/schema/portability.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import type { SpecKind } from '../kinds/spec-kind.ts'
import { compileDocument, packOf, type ReservedPacks } from './compile-document.ts'
import { checkWays } from './document-ways.ts'
import { findSecrets } from './find-secrets.ts'
import { readDocument } from './read-document.ts'
import type { ToolDocument } from './tool-document.ts'

export interface CheckingParts {
  kinds: readonly SpecKind[]
  known: KnownTools
  reserved: ReservedPacks
}

/** All findings about a document; with the tool, if it makes one. */
export interface CheckedDocument {
  document?: ToolDocument
  tool?: Tool
  /** Errors first. */
  findings: readonly Finding[]
}

/** Checks any value as a document, in full. Never throws. */
export function checkDocument(given: unknown, parts: CheckingParts): CheckedDocument {
  const read = readDocument(given, parts.kinds)
  if (read.document === undefined) return { findings: read.findings }
  const { document, kind } = read
  const derived = kind.derive(document, parts.known)
  const compiled = compileDocument(document, kind, { derived, reserved: parts.reserved })
  if (compiled.tool === undefined) return { document, findings: compiled.findings }
  const findings = [
    ...compiled.findings,
    ...kind.check(document, parts.known),
    ...checkWays({
      document,
      behaviour: kind.toBehaviour(document),
      contract: compiled.tool.contract,
      known: parts.known,
    }),
    ...checkName(document, parts.reserved),
    ...checkLowered(document, compiled.tool),
    ...checkModels(compiled.tool),
    ...findSecrets(document),
  ]
  return { document, tool: compiled.tool, findings: sortFindings(findings) }
}

/** True if it can be published. */
export function isPublishable(findings: readonly Finding[]): boolean {
  return !findings.some(({ severity }) => severity === 'error')
}

function checkName({ name }: ToolDocument, reserved: ReservedPacks): Finding[] {
  const [first] = name.split('.', 1)
  if (packOf(name, reserved) === first) return []
  const message = `begins with ${first}, which is a pack of other tools: grants and network rules for it would hold for this tool too`
  return [{ path: '/name', message, fix: 'Begin with another word.', severity: 'error' }]
}

function checkLowered(document: ToolDocument, tool: Tool): Finding[] {
  const { effect } = tool.contract
  if (document.effect === undefined || document.effect === effect) return []
  const message = `is lower than the effect of what it does; it counts as ${effect}`
  return [{ path: '/effect', message, severity: 'warning' }]
}

/** Parts of the schema that providers of models would refuse or lose. */
function checkModels({ contract }: Tool): Finding[] {
  return checkPortability(contract.inputSchema).map(({ provider, path, message }) => ({
    path: `/inputSchema${path}`,
    message: `${provider}: ${message}`,
    severity: 'warning',
  }))
}

function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = { error: 0, warning: 1 }
  return findings.toSorted((left, right) => rank[left.severity] - rank[right.severity])
}
