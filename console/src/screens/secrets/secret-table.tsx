import { ActionIcon, Button, Menu, Popover } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconDots, IconFlask, IconHistory, IconTrash } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { Cell, ListTable } from '../../ui/list-table.tsx'
import { confirm, sayDone, sayFailed } from '../../ui/say.ts'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { sayTools } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'
import styles from './secrets.module.css'

interface SecretTableProps {
  rows: readonly SecretRow[]
  onEdit: (row: SecretRow) => void
}

/** One line for every secret; what is missing says who waits for it. */
export function SecretTable({ rows, onEdit }: SecretTableProps) {
  const writers = useWriters()
  return (
    <ListTable label="Secrets" head={['Name', 'State', 'Used by', 'Updated', '']}>
      {rows.map((row) => (
        <tr key={`${row.name} ${row.agent ?? ''}`}>
          <Cell kind="name">
            <SecretName row={row} />
          </Cell>
          <Cell label="State">
            <SecretState row={row} />
          </Cell>
          <Cell label="Used by">
            <UsedBy tools={row.usedBy} />
          </Cell>
          <Cell label="Updated">
            <Updated row={row} by={writers.get(writerKey(row.name, row.agent))} />
          </Cell>
          <Cell kind="actions">
            <SecretActions row={row} onEdit={() => onEdit(row)} />
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function SecretName({ row: { name, label, agent } }: { row: SecretRow }) {
  return (
    <span className={styles.name}>
      <code dir="auto">{name}</code>
      {(label !== undefined || agent !== undefined) && (
        <span className={styles.dim} dir="auto">
          {agent === undefined ? label : `Only for the agent ${agent}`}
        </span>
      )}
    </span>
  )
}

function SecretState({ row: { state, requiredBy, value } }: { row: SecretRow }) {
  if (state === 'missing') {
    const count = requiredBy.length
    return (
      <span className={styles.state}>
        <Tag tone="ask">Missing</Tag>
        <span className={styles.dim}>
          {count === 1 ? '1 tool waits' : `${count} tools wait`} for it
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
    </span>
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

interface ActionsProps {
  row: SecretRow
  onEdit: () => void
}

function SecretActions({ row, onEdit }: ActionsProps) {
  const mayAudit = useCan('audit.read')
  const test = useSecretTest(row)
  const remove = useRemove(row)
  const isSet = row.state === 'set' && row.updatedAt !== undefined
  const named = row.agent === undefined ? row.name : `${row.name} of ${row.agent}`
  return (
    <>
      <span className={styles.buttons}>
        <Button
          size="xs"
          variant="default"
          onClick={onEdit}
          aria-label={`${isSet ? 'Replace' : 'Set value of'} ${named}`}
        >
          {isSet ? 'Replace' : 'Set value'}
        </Button>
        {isSet && (
          <Menu position="bottom-end" shadow="md" width={200}>
            <Menu.Target>
              <ActionIcon aria-label={`More about ${named}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {row.hasCheck && (
                <Menu.Item
                  leftSection={<IconFlask size={16} stroke={1.6} />}
                  onClick={() => test.mutate()}
                >
                  Test it
                </Menu.Item>
              )}
              {mayAudit && (
                <Menu.Item
                  renderRoot={(props) => <Link to="/audit" search={{ q: row.name }} {...props} />}
                  leftSection={<IconHistory size={16} stroke={1.6} />}
                >
                  Who changed it
                </Menu.Item>
              )}
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} stroke={1.6} />}
                onClick={() => void remove()}
              >
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </span>
      <output className={styles.tested}>
        {test.isPending && 'Testing…'}
        {test.data !== undefined && !test.isPending && <TestResult result={test.data} />}
      </output>
    </>
  )
}

interface TestResultProps {
  result: { status: 'good' | 'bad' | 'unchecked'; message?: string; checkedBy: string[] }
}

function TestResult({ result: { status, message, checkedBy } }: TestResultProps) {
  if (status === 'unchecked') return 'No tool brings a check for it.'
  return (
    <>
      <Tag tone={status === 'good' ? 'allow' : 'deny'}>
        {status === 'good' ? 'It works' : 'It does not work'}
      </Tag>{' '}
      {message ?? `checked by ${sayTools(checkedBy)}`}
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
    onError: sayFailed,
  })
}

function useRemove(row: SecretRow): () => Promise<void> {
  const queryClient = useQueryClient()
  const { name, agent } = row
  return async () => {
    const isSure = await confirm({
      title: `Delete ${name}?`,
      message: sayLoss(row),
      yes: 'Delete',
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await read(
        api.DELETE('/api/v1/secrets/{name}', {
          params: { path: { name }, query: { ...(agent !== undefined && { agent }) } },
        }),
      )
      sayDone(`${name} is deleted`)
    } catch (error) {
      sayFailed(error)
    }
    await queryClient.invalidateQueries({ queryKey: ['secrets'] })
  }
}

/** What stops working. */
function sayLoss({ agent, requiredBy, usedBy }: SecretRow): string {
  if (agent !== undefined) return `The agent ${agent} uses the tenant's value from then on, if any.`
  if (requiredBy.length > 0) {
    const [verb, pronoun] = requiredBy.length === 1 ? ['stops', 'it'] : ['stop', 'they']
    return `${sayTools(requiredBy)} ${verb} working for everybody until it is set again: ${pronoun} can't run without it.`
  }
  if (usedBy.length > 0) return `${sayTools(usedBy)} go on without it.`
  return 'No tool uses it.'
}

/** Who wrote each of them last, as far as the log tells; for who may read it. */
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
    // Newest first: the first that is met is the last that wrote.
    if (!writers.has(key)) writers.set(key, principalName ?? `${principal.kind}:${principal.id}`)
  }
  return writers
}

function writerKey(name: string, agent: string | undefined): string {
  return `${agent ?? ''} ${name}`
}
