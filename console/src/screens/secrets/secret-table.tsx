import { Popover } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo, useNow } from '../../ui/time.tsx'
import { toExpiry } from './expiry.ts'
import { SecretActions } from './secret-actions.tsx'
import { describeTools } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'
import styles from './secrets.module.css'

interface SecretTableProps {
  rows: readonly SecretRow[]
  onEdit: (row: SecretRow) => void
  onNote: (row: SecretRow) => void
}

/** One row per secret; a missing one shows the tools that need it. */
export function SecretTable({ rows, onEdit, onNote }: SecretTableProps) {
  const writers = useWriters()
  return (
    <ListTable label="Secrets" head={['Name', 'State', 'Used by', 'Updated', '']}>
      {rows.map((row) => (
        <SecretLine
          key={`${row.name} ${row.agent ?? ''}`}
          row={row}
          by={writers.get(writerKey(row.name, row.agent))}
          onEdit={() => onEdit(row)}
          onNote={() => onNote(row)}
        />
      ))}
    </ListTable>
  )
}

interface SecretLineProps {
  row: SecretRow
  /** Who wrote it last, if known. */
  by: string | undefined
  onEdit: () => void
  onNote: () => void
}

function SecretLine({ row, by, onEdit, onNote }: SecretLineProps) {
  const test = useSecretTest(row)
  return (
    <tr>
      <Cell kind="name">
        <SecretName row={row} />
      </Cell>
      <Cell label="State">
        <span className={styles.two}>
          <SecretState row={row} />
          <output className={styles.dim}>
            {test.isPending && 'Testing…'}
            {test.data !== undefined && !test.isPending && <TestResult result={test.data} />}
          </output>
        </span>
      </Cell>
      <Cell label="Used by">
        <UsedBy tools={row.usedBy} />
      </Cell>
      <Cell label="Updated">
        <Updated row={row} by={by} />
      </Cell>
      <Cell kind="actions">
        <SecretActions row={row} onEdit={onEdit} onNote={onNote} onTest={() => test.mutate()} />
      </Cell>
    </tr>
  )
}

function SecretName({ row: { name, label, agent, description } }: { row: SecretRow }) {
  return (
    <span className={styles.name}>
      <code dir="auto">{name}</code>
      {(label !== undefined || agent !== undefined) && (
        <span className={styles.dim} dir="auto">
          {agent === undefined ? label : `Only for the agent ${agent}`}
        </span>
      )}
      {description !== undefined && (
        <span className={styles.note} dir="auto">
          {description}
        </span>
      )}
    </span>
  )
}

function SecretState({ row: { state, requiredBy, value, expiresAt } }: { row: SecretRow }) {
  if (state === 'missing') {
    const count = requiredBy.length
    return (
      <span className={styles.state}>
        <Tag tone="ask">Missing</Tag>
        <span className={styles.dim}>
          {count === 1 ? '1 tool needs' : `${count} tools need`} it
        </span>
      </span>
    )
  }
  if (state === 'unset') {
    return (
      <span className={styles.state}>
        <Tag>Not set</Tag>
        <span className={styles.dim}>optional</span>
      </span>
    )
  }
  return (
    <span className={styles.state}>
      <Tag>Set</Tag>
      {value !== undefined && <code dir="auto">{value}</code>}
      {expiresAt !== undefined && <Expiry at={expiresAt} />}
    </span>
  )
}

/** When the value expires, highlighted if someone has to act. */
function Expiry({ at }: { at: string }) {
  const now = useNow()
  const { tone, state } = toExpiry(at, now)
  const words = { expired: 'Expired', soon: 'Expires', later: 'Expires' }[state]
  if (state === 'later') {
    return (
      <span className={styles.dim}>
        expires <TimeAgo at={at} />
      </span>
    )
  }
  return (
    <Tag tone={tone}>
      <span>
        {words} <TimeAgo at={at} />
      </span>
    </Tag>
  )
}

function UsedBy({ tools }: { tools: readonly string[] }) {
  const [first, ...others] = tools
  if (first === undefined) return <span className={styles.dim}>No tool</span>
  if (others.length === 0) return <ToolLink name={first} />
  return (
    <Popover position="bottom-start" withArrow shadow="md">
      <Popover.Target>
        <button type="button" className={styles.plainButton}>
          {tools.length} tools
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={styles.tools}>
          {tools.map((name) => (
            <ToolLink key={name} name={name} />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function ToolLink({ name }: { name: string }) {
  return (
    <Link to="/tools/$name" params={{ name }} className={styles.link}>
      <code>{name}</code>
    </Link>
  )
}

function Updated({ row: { updatedAt, version }, by }: { row: SecretRow; by: string | undefined }) {
  if (updatedAt === undefined) return null
  return (
    <span>
      <TimeAgo at={updatedAt} />
      {by !== undefined && <span dir="auto"> by {by}</span>}
      {version !== undefined && version > 1 && (
        <span className={styles.dim}> · version {version}</span>
      )}
    </span>
  )
}

interface TestResultProps {
  result: { status: 'good' | 'bad' | 'unchecked'; message?: string; checkedBy: string[] }
}

function TestResult({ result: { status, message, checkedBy } }: TestResultProps) {
  if (status === 'unchecked') return 'No tool can check it.'
  return (
    <>
      <Tag tone={status === 'good' ? 'allow' : 'deny'}>
        {status === 'good' ? 'Valid' : 'Invalid'}
      </Tag>{' '}
      {message ?? `checked by ${describeTools(checkedBy)}`}
    </>
  )
}

function useSecretTest({ name, agent }: SecretRow) {
  return useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/secrets/{name}/test', {
          params: { path: { name }, query: { ...(agent !== undefined && { agent }) } },
        }),
      ),
    onError: notifyFailure,
  })
}

/** Who wrote each secret last, from the audit log; empty without permission to read it. */
function useWriters(): ReadonlyMap<string, string> {
  const mayAudit = useCan('audit.read')
  const { data } = useQuery({
    queryKey: ['secrets', 'writers'],
    queryFn: () =>
      read(api.GET('/api/v1/audit', { params: { query: { what: 'secret.written', limit: 200 } } })),
    enabled: mayAudit,
  })
  const writers = new Map<string, string>()
  for (const { data: facts, principal, principalName } of data?.items ?? []) {
    const { name, agent } = (facts ?? {}) as { name?: string; agent?: string }
    const key = writerKey(name ?? '', agent)
    // Newest first: the first event of a secret is its last write.
    if (!writers.has(key)) writers.set(key, principalName ?? `${principal.kind}:${principal.id}`)
  }
  return writers
}

function writerKey(name: string, agent: string | undefined): string {
  return `${agent ?? ''} ${name}`
}
