import { findByPointer } from '../../../core/kernel/json/json-pointer.ts'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import type { Finding, PlacedFinding } from '../../../core/kernel/finding.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { PublishedAnswer } from '../../../features/authoring/schemas.ts'
import type { HttpClient } from '../client/http-client.ts'
import type { NamedDocument } from './read-files.ts'
import { placeFindings } from './show-findings.ts'
import { checkDocument, findSource, toolPath } from './tool-source.ts'

/** `taken`: a file or a server of another kind has the name. */
export type PlannedAction = 'new' | 'changed' | 'same' | 'taken'

/** The result that publishing one file would have. */
export interface PlannedTool {
  name: string
  file: string
  change: PlannedAction
  /** Problems, errors first. */
  findings: readonly PlacedFinding[]
  document: JsonValue
  /** The version in force that it was compared with. */
  from?: string
  /** You have a draft of it, which publishing would replace. */
  replacesDraft?: true
}

/** In the order in which they can be published: tools before those that call them. */
export async function planImport(
  client: HttpClient,
  documents: readonly NamedDocument[],
): Promise<PlannedTool[]> {
  const names = documents.map(({ name }) => name)
  const plan: PlannedTool[] = []
  for (const one of sortByUse(documents)) plan.push(await planOne(client, one, names))
  return plan
}

async function planOne(
  client: HttpClient,
  { name, file, document, placeOf }: NamedDocument,
  names: readonly string[],
): Promise<PlannedTool> {
  const source = await findSource(client, name)
  const planned = { name, file, document }
  if (source !== undefined && source.source !== 'authored' && source.source !== 'draft') {
    const message = `is a tool of another source (${source.source})`
    const finding: Finding = { path: '/name', message, severity: 'error' }
    return { ...planned, change: 'taken', findings: placeFindings([finding], placeOf) }
  }
  const before = source?.document
  if (before !== undefined && canonicalJson(before) === canonicalJson(document)) {
    return { ...planned, change: 'same', findings: [] }
  }
  const findings = (await checkDocument(client, document)).filter(
    (finding) => !isAboutPlanned(finding, { name, document, names }),
  )
  return {
    ...planned,
    change: before === undefined ? 'new' : 'changed',
    findings: placeFindings(findings, placeOf),
    ...(source?.version !== undefined && { from: source.version.hash }),
    ...(source?.draft !== undefined && { replacesDraft: true as const }),
  }
}

/** A tool that is missing now, but will have been published before this one. */
function isAboutPlanned(
  { path, severity }: Finding,
  { name, document, names }: { name: string; document: JsonValue; names: readonly string[] },
): boolean {
  const value = findByPointer(document, path)
  if (severity !== 'error' || typeof value !== 'string') return false
  return names.some((other) => other !== name && value.includes(other))
}

function sortByUse(documents: readonly NamedDocument[]): NamedDocument[] {
  const left = documents.map((one) => ({ one, text: JSON.stringify(one.document) }))
  const sorted: NamedDocument[] = []
  while (left.length > 0) {
    const isFree = ({ one, text }: (typeof left)[number]) =>
      left.every(({ one: { name } }) => name === one.name || !text.includes(name))
    const at = Math.max(0, left.findIndex(isFree))
    sorted.push(...left.splice(at, 1).map(({ one }) => one))
  }
  return sorted
}

/** Publishes one of the plan, unless somebody has published another version since. */
export async function publishPlanned(
  client: HttpClient,
  { change, name, document, from }: PlannedTool,
  note: string | undefined,
): Promise<PublishedAnswer> {
  const said = note === undefined ? {} : { note }
  if (change === 'new' && from === undefined) {
    const body = { document, publish: true, ...said }
    const made = await client.read<{ published: PublishedAnswer }>('/tools', {
      method: 'POST',
      body,
    })
    return made.published
  }
  const draft = { document, ...(from !== undefined && { from }) }
  await client.read(`${toolPath(name)}/draft`, { method: 'PUT', body: draft })
  return client.read<PublishedAnswer>(`${toolPath(name)}/publish`, { method: 'POST', body: said })
}
