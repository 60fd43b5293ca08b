import { blankSpec, draftOf } from '../spec/spec-draft.ts'
import type { Draft, SpecKindName } from '../spec/spec-draft.ts'

interface NewDocument {
  name: string
  description: string
  kind: SpecKindName
}

/** A document with what every tool needs. */
export function blankDocument({ name, description, kind }: NewDocument): Draft {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', title: 'Text' } },
      required: ['text'],
    },
    spec: blankSpec(kind),
  }
}

/** Where in the editor a finding belongs, by its pointer into the document. */
export function tabOf(path: string): 'identity' | 'input' | 'work' | 'output' | 'rules' {
  const [, first = ''] = path.split('/')
  if (first === 'inputSchema' || first === 'form' || first === 'examples') return 'input'
  if (first === 'spec') return 'work'
  if (first === 'outputSchema' || first === 'sections' || first === 'view') return 'output'
  return ['name', 'title', 'description', 'icon'].includes(first) ? 'identity' : 'rules'
}

/** The messages about each step of a composition, by its place. */
export function stepFindings(
  findings: readonly { path: string; message: string }[],
): Record<number, string[]> {
  const found: Record<number, string[]> = {}
  for (const { path, message } of findings) {
    const [, index, rest = ''] = /^\/spec\/steps\/(\d+)(\/.*)?$/.exec(path) ?? []
    if (index === undefined) continue
    const place = rest.slice(1).replaceAll('/', '.')
    ;(found[Number(index)] ??= []).push(place === '' ? message : `${place} ${message}`)
  }
  return found
}

export function kindOf(document: Draft): string {
  const kind = draftOf(document['spec'])['kind']
  return typeof kind === 'string' ? kind : ''
}

/** A stored document as an editable draft; undefined if it is not an object. */
export function toDocument(value: unknown): Draft | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Draft) : undefined
}
