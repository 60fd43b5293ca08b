import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loading } from './loading.tsx'
import { Failed } from './states.tsx'

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>
  /** Instead of plain rows. */
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

/** A part of a screen that hangs on one answer: waiting, failed, or drawn. Old data stays on the screen. */
export function QueryView<Data>({ query, loading, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />
  return loading ?? <Loading rows={3} />
}
