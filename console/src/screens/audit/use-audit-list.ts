import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useLiveList } from '../calls/use-live-list.ts'
import { toAuditQuery } from './audit-filter.ts'
import type { AuditFilter } from './audit-filter.ts'

const pageSize = 100

/** The log in pages, with new events added at the top. Remount it (by key) for other filters. */
export function useAuditList(filter: AuditFilter) {
  const [openedAt] = useState(() => Date.now())
  return useLiveList({
    queryKey: ['audit-pages', filter],
    readPage: (after) => readPage(filter, { openedAt, after }),
    idOf: ({ id }: Api<'AuditEntry'>) => id,
    isAbout: ({ type }) => type !== 'call.output' || filter.action === 'call.output',
  })
}

function readPage(filter: AuditFilter, { openedAt, after }: { openedAt: number; after: string }) {
  const query = {
    ...toAuditQuery(filter, openedAt),
    limit: pageSize,
    ...(after !== '' && { after }),
  }
  return read(api.GET('/api/v1/audit', { params: { query } }))
}
