import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { sourceQuery } from '../studio-queries.ts'
import type { ToolSource } from '../studio-queries.ts'
import { createDocumentStore } from './document-store.ts'
import type { DocumentStore, OpenDocument } from './document-store.ts'

/** The draft of a tool while it is edited. */
export interface EditedDocument extends OpenDocument, Pick<DocumentStore, 'change' | 'flush'> {}

export function useDocument(source: ToolSource): EditedDocument {
  const queryClient = useQueryClient()
  const [store] = useState(() =>
    createDocumentStore(source, (draft) => {
      queryClient.setQueryData(sourceQuery(source.name).queryKey, (before) =>
        before === undefined ? before : { ...before, draft },
      )
    }),
  )
  const open = useSyncExternalStore(store.subscribe, store.current)
  return { ...open, change: store.change, flush: store.flush }
}
