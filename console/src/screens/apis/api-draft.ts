import type { Pair } from '../../ui/pairs/pair-rows.tsx'
import type { ApiPreview, ImportedApi } from './api-queries.ts'

/** The settings of an API while they are edited. */
export interface ApiDraft {
  title: string
  server: string
  /** The secret of each scheme of the document. */
  auth: Record<string, string>
  headers: Pair[]
  include: string[]
  exclude: string[]
  timeoutMs: number | ''
  isPrivate: boolean
  isPinned: boolean
  isEnabled: boolean
}

export const blankApi: ApiDraft = {
  title: '',
  server: '',
  auth: {},
  headers: [],
  include: [],
  exclude: [],
  timeoutMs: '',
  isPrivate: false,
  isPinned: true,
  isEnabled: true,
}

/** Stored settings as a draft. */
export function toDraft(stored: ImportedApi): ApiDraft {
  const { title, server, auth, headers, include, exclude, timeoutMs, pin, enabled } = stored
  return {
    title: title ?? '',
    server: server ?? '',
    auth: { ...auth },
    headers: Object.entries(headers ?? {}).map(([name, value]) => ({ name, value })),
    include: include ?? [],
    exclude: exclude ?? [],
    timeoutMs: timeoutMs ?? '',
    isPrivate: stored.private === true,
    isPinned: pin !== false,
    isEnabled: enabled !== false,
  }
}

/** A draft as the API takes it. An empty field is left out. */
export function toSettings(draft: ApiDraft) {
  const auth = Object.entries(draft.auth).filter(([, secret]) => secret.trim() !== '')
  const headers = draft.headers.filter(({ name }) => name.trim() !== '')
  return {
    ...(draft.title.trim() !== '' && { title: draft.title.trim() }),
    ...(draft.server.trim() !== '' && { server: draft.server.trim() }),
    ...(draft.timeoutMs !== '' && { timeoutMs: draft.timeoutMs }),
    ...(draft.isPrivate && { private: true }),
    auth: Object.fromEntries(auth.map(([scheme, secret]) => [scheme, secret.trim()])),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name.trim(), value])),
    include: draft.include,
    exclude: draft.exclude,
    pin: draft.isPinned,
    enabled: draft.isEnabled,
  }
}

/** The fields of a draft that differ from the stored settings; null removes one. */
export function toApiChange(stored: ImportedApi, draft: ApiDraft) {
  const before: Record<string, unknown> = toSettings(toDraft(stored))
  const after: Record<string, unknown> = toSettings(draft)
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    keys
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => [key, after[key] ?? null]),
  )
}

/** Settings hold fewer patterns than a document may have operations. */
const mostPatterns = 1000

/** The settings for the chosen operations: nothing where all are chosen, else the shorter list. */
export function toChoice(
  operations: ApiPreview['operations'],
  chosen: ReadonlySet<string>,
): { include: string[]; exclude: string[] } {
  const names = operations.map(({ name }) => name)
  const include = names.filter((name) => chosen.has(name))
  const exclude = names.filter((name) => !chosen.has(name))
  if (exclude.length === 0) return { include: [], exclude: [] }
  const isShort = include.length <= exclude.length || exclude.length > mostPatterns
  return isShort && include.length > 0 ? { include, exclude: [] } : { include: [], exclude }
}
