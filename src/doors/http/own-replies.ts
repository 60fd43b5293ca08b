import type { AuditEntry } from '../../core/audit/audit-filter.ts'
import { toCsvHeader, toCsvRow } from '../../features/audit/to-csv.ts'
import type { OwnReply } from './operation-route.ts'
import { exportReply } from './streams/export-stream.ts'

/** Operations whose answer is not plain JSON, by name. */
export const ownReplies: Readonly<Record<string, OwnReply>> = {
  exportAudit(asked, pages: AsyncIterable<readonly AuditEntry[]>) {
    const query = new URL(asked.request.url).searchParams
    const isCsv = query.get('format') === 'csv'
    const hasHeader = isCsv && !query.has('after')
    const day = new Date().toISOString().slice(0, 10)
    return exportReply(asked, {
      pieces: toPieces(pages, { isCsv, hasHeader }),
      type: isCsv ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      filename: `audit-${day}.${isCsv ? 'csv' : 'jsonl'}`,
    })
  },
}

async function* toPieces(
  pages: AsyncIterable<readonly AuditEntry[]>,
  { isCsv, hasHeader }: { isCsv: boolean; hasHeader: boolean },
): AsyncGenerator<string> {
  const toLine = isCsv ? toCsvRow : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`
  if (hasHeader) yield toCsvHeader()
  for await (const entries of pages) yield entries.map(toLine).join('')
}
