import type { Api } from '../../../api/client.ts'

export type Decree = Api<'PolicyDocument'>
export type Kind = Decree['kind']
export type LevelKind = Exclude<Kind, 'pack'>

/** What a level, a profile or a group says, while it is edited. */
export interface DecreeDraft {
  profile: string | null
  allow: string[]
  deny: string[]
}

export const emptyDraft: DecreeDraft = { profile: null, allow: [], deny: [] }

/** Reads what is stored; what is not of the known form is read as nothing. */
export function toDraft(kind: LevelKind, body: unknown): DecreeDraft {
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

/** As the API takes it. */
export function toBody(kind: LevelKind, { profile, allow, deny }: DecreeDraft) {
  if (kind === 'group') return allow
  if (kind === 'profile') return { allow, deny }
  return { ...(profile !== null && { profile }), allow, deny }
}

type Simulation = Api<'SimulationRequest'>

/** What a simulation is asked: this draft in place of what stands, or nothing in its place. */
export function toSimulation(kind: LevelKind, name: string, draft: DecreeDraft | null): Simulation {
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
