import type { Finding } from '../../../core/kernel/finding.ts'
import { checkJson } from '../../../core/kernel/json/check-json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { utf8Length } from '../../../core/kernel/text/utf8.ts'
import { describeKnown } from '../../../core/patterns/nearest-name.ts'
import { toFieldIssues } from '../../../core/schema/tool-definition.ts'
import type { SpecKind } from '../kinds/spec-kind.ts'
import { documentBounds, type ToolDocument, toolDocument } from './tool-document.ts'

/** A document that can be read, with its kind; or everything that is wrong with its form. */
export type ReadDocument =
  | { document: ToolDocument; kind: SpecKind; findings: readonly [] }
  | { document?: undefined; kind?: undefined; findings: readonly Finding[] }

/** Reads anything that somebody wrote as a document. Never throws, and never reads a large one. */
export function readDocument(given: unknown, kinds: readonly SpecKind[]): ReadDocument {
  const unusable = findUnusable(given)
  if (unusable !== undefined) return { findings: [unusable] }
  const form = toolDocument.safeParse(given, { reportInput: true })
  const kind = findKind(given, kinds)
  const spec = kind?.schema.safeParse((given as { spec?: unknown }).spec, { reportInput: true })
  const findings = [
    ...(form.error ? toFieldIssues(form.error).map(toFinding) : []),
    ...(kind === undefined ? toUnknownKind(given, kinds) : []),
    ...(spec?.error ? toFieldIssues(spec.error).map(inSpec) : []),
  ]
  if (kind === undefined || spec?.data === undefined || findings.length > 0) return { findings }
  return { document: { ...(given as ToolDocument), spec: spec.data }, kind, findings: [] }
}

/**
 * Reads a published document, whose form was checked when it was published: of thousands, that would
 * take seconds. A tool made of it still checks its facts and schemas.
 */
export function readPublishedDocument(given: unknown, kinds: readonly SpecKind[]): ReadDocument {
  const kind = isRecord(given) ? findKind(given, kinds) : undefined
  const spec = kind?.schema.safeParse((given as { spec?: unknown }).spec)
  if (kind === undefined || spec?.data === undefined) return readDocument(given, kinds)
  return { document: { ...(given as ToolDocument), spec: spec.data }, kind, findings: [] }
}

/** Only the first of these is worth reading: nothing else is checked. */
function findUnusable(given: unknown): Finding | undefined {
  if (!isRecord(given)) return toError('', 'must be an object')
  const issue = checkJson(given, documentBounds.maxDepth)
  if (issue !== undefined) return toError(issue.path, issue.message)
  const bytes = utf8Length(JSON.stringify(given))
  if (bytes <= documentBounds.maxBytes) return undefined
  return toError('', `has ${bytes} bytes; the limit is ${documentBounds.maxBytes}`)
}

function findKind(given: unknown, kinds: readonly SpecKind[]): SpecKind | undefined {
  const { spec } = given as { spec?: unknown }
  return isRecord(spec) ? kinds.find(({ kind }) => kind === spec['kind']) : undefined
}

/** Where the form of the spec is right, and the kind alone is wrong. */
function toUnknownKind(given: unknown, kinds: readonly SpecKind[]): Finding[] {
  const { spec } = given as { spec?: unknown }
  const kind = isRecord(spec) ? spec['kind'] : undefined
  if (typeof kind !== 'string') return []
  const known = describeKnown(
    kind,
    kinds.map((one) => one.kind),
  )
  return [toError('/spec/kind', `is not a kind of spec; ${known}`)]
}

function toFinding({ path, message }: { path: string; message: string }): Finding {
  return toError(path, message)
}

function inSpec({ path, message }: { path: string; message: string }): Finding {
  const said = message.replace('is not a field of a tool', 'is not a field of this spec')
  return toError(`/spec${path}`, said)
}

function toError(path: string, message: string): Finding {
  return { path, message, severity: 'error' }
}
