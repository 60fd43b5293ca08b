import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { toProblem } from '../../../api/problem.ts'
import type { ApiProblem } from '../../../api/problem.ts'
import type { Draft } from '../spec/spec-draft.ts'
import type { ToolFinding, ToolSource } from '../studio-queries.ts'
import { toDocument } from './document.ts'

/** The state of typed changes. */
export type SaveState = 'saved' | 'typing' | 'saving' | 'failed' | 'conflict'

export interface OpenDocument {
  readonly document: Draft
  readonly state: SaveState
  readonly problem: ApiProblem | undefined
  readonly findings: readonly ToolFinding[]
  /** Of the draft; undefined while there is none, and the document is the published one. */
  readonly revision: number | undefined
}

export interface DocumentStore {
  current(): OpenDocument
  subscribe(listener: () => void): () => void
  change(document: Draft): void
  /** Saves what is not saved yet; false if that failed. */
  flush(): Promise<boolean>
}

const pauseMs = 600

/** A draft that saves itself a moment after the last change: one save at a time, the latest last. */
export function createDocumentStore(
  source: ToolSource,
  onSaved: (draft: Api<'ToolDraft'>) => void,
): DocumentStore {
  const { name, draft, version } = source
  const from = draft?.from ?? version?.hash
  let open: OpenDocument = {
    document: toDocument(draft?.document) ?? toDocument(source.document) ?? { name },
    state: 'saved',
    problem: undefined,
    findings: draft?.findings ?? source.findings,
    revision: draft?.revision,
  }
  let saved = open.document
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = Promise.resolve(true)
  const listeners = new Set<() => void>()
  const set = (change: Partial<OpenDocument>) => {
    open = { ...open, ...change }
    for (const listener of listeners) listener()
  }

  async function save(): Promise<boolean> {
    const { document, revision = 0 } = open
    set({ state: 'saving' })
    try {
      const kept = await putDraft(name, { document, revision, from })
      saved = document
      const state = open.document === document ? 'saved' : 'typing'
      set({ state, problem: undefined, findings: kept.findings, revision: kept.revision })
      onSaved(kept)
      return true
    } catch (error) {
      const problem = toProblem(error)
      set({ state: problem.code === 'conflict' ? 'conflict' : 'failed', problem })
      return false
    }
  }
  /** After the save that is under way. */
  function flush(): Promise<boolean> {
    clearTimeout(timer)
    running = running.then(() => (open.document === saved ? true : save()))
    return running
  }
  return {
    current: () => open,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change(document) {
      set({ document, state: 'typing' })
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), pauseMs)
    },
    flush,
  }
}

interface SentDraft {
  document: Draft
  revision: number
  from: string | undefined
}

function putDraft(name: string, { document, revision, from }: SentDraft) {
  return read(
    api.PUT('/api/v1/tools/{name}/draft', {
      params: { path: { name } },
      body: { document, revision, ...(from !== undefined && { from }) },
    }),
  )
}
