import type { Api } from '../../../api/client.ts'

export type PolicyDocument = Api<'PolicyDocument'>
export type DocumentKind = PolicyDocument['kind']
export type LevelKind = Exclude<DocumentKind, 'pack'>

/** A level, a profile or a group while it is edited. */
export interface PolicyDocumentDraft {
  profile: string | null
  allow: string[]
  deny: string[]
}

export const emptyDraft: PolicyDocumentDraft = { profile: null, allow: [], deny: [] }

/** Reads a stored document. Fields of an unknown form are read as empty. */
export function toDraft(kind: LevelKind, body: unknown): PolicyDocumentDraft {
  if (kind === 'group') return { ...emptyDraft, allow: toTexts(body) }
  if (typeof body !== 'object' || body === null) return emptyDraft
  const fields = body as Record<string, unknown>
  return {
    profile: typeof fields['profile'] === 'string' ? fields['profile'] : null,
    allow: toTexts(fields['allow']),
    deny: toTexts(fields['deny']),
  }
}

function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The document as the API takes it. */
export function toBody(kind: LevelKind, { profile, allow, deny }: PolicyDocumentDraft) {
  if (kind === 'group') return allow
  if (kind === 'profile') return { allow, deny }
  return { ...(profile !== null && { profile }), allow, deny }
}

type Simulation = Api<'SimulationRequest'>

/** The change to simulate: this draft in place of the stored document, or its removal. */
export function toSimulation(
  kind: LevelKind,
  name: string,
  draft: PolicyDocumentDraft | null,
): Simulation {
  const lists = draft && { allow: draft.allow, deny: draft.deny }
  const level = lists && { ...lists, ...(draft?.profile && { profile: draft.profile }) }
  switch (kind) {
    case 'policy':
      return { policy: level }
    case 'provider':
      return { providers: { [name]: level } }
    case 'profile':
      return { profiles: { [name]: lists } }
    case 'group':
      return { groups: { [name]: lists && lists.allow } }
  }
}
