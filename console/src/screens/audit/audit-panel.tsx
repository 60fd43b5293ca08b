import { Button, Table, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { JsonTree } from '../../output/json/json-tree.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { Caller } from '../calls/caller.tsx'
import { changesOf, describeAction, describeTarget } from './audit-words.ts'
import type { FieldChange } from './audit-words.ts'
import { formatExactDateTime } from '../../ui/format/format-date-time.ts'
import styles from './audit.module.css'

interface AuditPanelProps {
  entry: Api<'AuditEntry'> | undefined
  onClose: () => void
}

/** One event in full: who, what, values before and after, and the raw event. */
export function AuditPanel({ entry, onClose }: AuditPanelProps) {
  return (
    <SidePanel title="Event" isOpen={entry !== undefined} onClose={onClose}>
      {entry !== undefined && <EntryView entry={entry} />}
    </SidePanel>
  )
}

function EntryView({ entry }: { entry: Api<'AuditEntry'> }) {
  const changes = changesOf(entry)
  const facts: [string, ReactNode][] = [
    [
      'When',
      <span key="at">
        {formatExactDateTime(entry.at)} · <TimeAgo at={entry.at} />
      </span>,
    ],
    [
      'Who',
      <Caller
        key="who"
        principal={entry.principal}
        {...(entry.principalName !== undefined && { name: entry.principalName })}
        {...(entry.agent !== undefined && { agent: entry.agent })}
      />,
    ],
    ['Type', <code key="type">{entry.type}</code>],
  ]
  const target = describeTarget(entry)
  if (target !== '') facts.push(['About', <code key="about">{target}</code>])
  if (entry.sessionId !== undefined) {
    facts.push(['Session', <CopyText key="session" text={entry.sessionId} />])
  }
  facts.push(['Event', <CopyText key="id" text={entry.id} />])
  return (
    <div className={styles.stack}>
      <Title order={2}>{describeAction(entry.type)}</Title>
      <Facts>
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </Facts>
      {entry.callId !== undefined && (
        <div>
          <Button
            component={Link}
            to="/calls/$id"
            params={{ id: entry.callId } as never}
            variant="default"
          >
            Open call
          </Button>
        </div>
      )}
      {changes !== undefined && <Changes changes={changes} />}
      <Title order={3}>Raw event</Title>
      <JsonTree value={entry as unknown as JsonValue} label="Raw event" />
    </div>
  )
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <section className={styles.scroll} tabIndex={0} aria-label="Before and after">
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Td>{field === '' ? 'value' : field}</Table.Td>
              <Table.Td className={styles.before}>{formatConstant(before)}</Table.Td>
              <Table.Td className={styles.after}>{formatConstant(after)}</Table.Td>
            </Table.Tr>
          ))}
          {changes.length === 0 && (
            <Table.Tr>
              <Table.Td colSpan={3}>No differences.</Table.Td>
            </Table.Tr>
          )}
        </Table.Tbody>
      </Table>
    </section>
  )
}

function formatConstant(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '—'
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
