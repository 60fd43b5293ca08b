import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconDownload, IconTable } from '@tabler/icons-react'
import { toCsv, toTsv } from './delimited.ts'
import { saveFile } from '../media/save-file.ts'
import type { TableModel } from './table-model.ts'

/** Copy for a spreadsheet, or save as CSV. */
export function TableActions({ table, label }: { table: TableModel; label: string }) {
  const { copied, copy } = useClipboard()
  return (
    <>
      <Tooltip label={copied ? 'Copied' : 'Copy as table (TSV)'}>
        <ActionIcon
          size={28}
          aria-label={`Copy ${label} as table`}
          onClick={() => copy(toTsv(table))}
        >
          {copied ? <IconCheck size={16} stroke={1.6} /> : <IconTable size={16} stroke={1.6} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Download CSV">
        <ActionIcon
          size={28}
          aria-label={`Download ${label} as CSV`}
          onClick={() =>
            saveFile(toCsv(table), { name: `${label}.csv`, type: 'text/csv;charset=utf-8' })
          }
        >
          <IconDownload size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}
