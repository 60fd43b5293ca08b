import { Button, Menu } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { formatBytes } from '../usage/amounts.ts'
import { toAuditQuery } from './audit-filter.ts'
import type { AuditFilter } from './audit-filter.ts'
import { exportAudit } from './export-audit.ts'
import type { ExportFormat } from './export-audit.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './audit.module.css'

/** Exports the filtered events and shows the progress. */
export function ExportButton({ filter }: { filter: AuditFilter }) {
  const [progress, setProgress] = useState<{ lines: number; bytes: number }>()
  const stop = useRef<AbortController>(undefined)
  const take = async (format: ExportFormat) => {
    stop.current = new AbortController()
    setProgress({ lines: 0, bytes: 0 })
    try {
      const count = await exportAudit({
        query: toAuditQuery(filter, Date.now()),
        format,
        onProgress: (lines, bytes) => setProgress({ lines, bytes }),
        signal: stop.current.signal,
      })
      notifySuccess(`${formatNumber(count)} events exported`)
    } catch (error) {
      if (!stop.current.signal.aborted) notifyFailure(error)
    } finally {
      setProgress(undefined)
    }
  }
  if (progress !== undefined) {
    return (
      <span className={styles.exporting}>
        <output>
          {formatNumber(progress.lines)} events, {formatBytes(progress.bytes)}
        </output>
        <Button
          variant="default"
          leftSection={<IconX size={16} stroke={1.6} />}
          onClick={() => stop.current?.abort()}
        >
          Stop
        </Button>
      </span>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.6} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Export filtered events</Menu.Label>
        <Menu.Item onClick={() => void take('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => void take('jsonl')}>JSON lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
