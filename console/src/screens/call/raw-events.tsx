import { useState } from 'react'
import { JsonTree } from '../../output/json/json-tree.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { VirtualTable } from '../../ui/list/virtual-table.tsx'
import type { Column } from '../../ui/list/virtual-table.tsx'
import type { CallEvent, CallLog } from './call-log.ts'
import styles from './call.module.css'

/** All events of a call, with the selected one in full. */
export function RawEvents({ log }: { log: CallLog }) {
  const [openId, setOpenId] = useState<string>()
  const open = log.events.find(({ id }) => id === openId)
  const beganMs = Date.parse(log.events[0]?.at ?? '')
  const columns: Column<CallEvent>[] = [
    { key: 'seq', title: '#', width: '44px', isNumeric: true, render: ({ seq }) => seq },
    {
      key: 'at',
      title: 'After',
      width: '80px',
      isNumeric: true,
      render: ({ at }) => formatDuration(Date.parse(at) - beganMs),
    },
    { key: 'type', title: 'Type', width: '148px', render: ({ type }) => <code>{type}</code> },
    {
      key: 'data',
      title: 'Payload',
      width: 'minmax(0, 1fr)',
      render: ({ data }) => <code dir="auto">{JSON.stringify(data ?? null).slice(0, 300)}</code>,
    },
  ]
  return (
    <div className={styles.running}>
      <VirtualTable
        label="Raw events"
        rows={log.events}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setOpenId((before) => (before === id ? undefined : id))}
        rowHeight={32}
        height={Math.min(420, 40 + Math.max(3, log.events.length) * 32)}
        {...(openId !== undefined && { openKey: openId })}
        {...(log.leftOut > 0 && { foot: `${log.leftOut} earlier output events are not shown.` })}
      />
      {open !== undefined && <JsonTree value={open} label={`Event ${open.seq}, ${open.type}`} />}
    </div>
  )
}
