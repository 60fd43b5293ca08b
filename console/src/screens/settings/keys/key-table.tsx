import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { CopyText } from '../../../ui/copy.tsx'
import { Cell, ListTable } from '../../../ui/list/list-table.tsx'
import { RowActions } from '../../../ui/list/row-actions.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { Tag } from '../../../ui/tag.tsx'
import { TimeAgo, useNow } from '../../../ui/time.tsx'
import { isOver } from './api-key.ts'
import type { ApiKey, IssuedKey } from './api-key.ts'
import { RotateDialog } from './rotate-dialog.tsx'
import styles from '../settings.module.css'

interface KeyTableProps {
  keys: readonly ApiKey[]
  onIssued: (key: IssuedKey) => void
}

export function KeyTable({ keys, onIssued }: KeyTableProps) {
  const now = useNow()
  return (
    <ListTable label="API keys" head={['Name', 'Scopes', 'Last used', 'Expires', '']}>
      {keys.map((key) => (
        <tr key={key.id}>
          <Cell kind="name">
            <span className={styles.two}>
              <span className={styles.strong} dir="auto">
                {key.name}
              </span>
              <span className={styles.dim}>
                <CopyText text={key.id} />
              </span>
            </span>
          </Cell>
          <Cell label="Scopes">
            <span className={styles.two}>
              <span className={styles.tags}>
                {key.scopes.map((scope) => (
                  <Tag key={scope}>{scope === '*' ? 'everything' : scope}</Tag>
                ))}
              </span>
              {(key.agent ?? key.toolMode) !== undefined && (
                <span className={styles.dim}>{describeBinding(key)}</span>
              )}
            </span>
          </Cell>
          <Cell label="Last used">
            {key.lastUsedAt === undefined ? (
              <span className={styles.dim}>Never</span>
            ) : (
              <TimeAgo at={key.lastUsedAt} />
            )}
          </Cell>
          <Cell label="Expires">
            <KeyEnd apiKey={key} />
          </Cell>
          <Cell kind="menu">
            {!isOver(key, now) && <KeyMenu apiKey={key} onIssued={onIssued} />}
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

const modes = {
  list: 'lists all tools',
  search: 'searches for tools',
  auto: 'automatic tool mode',
  code: 'writes programs',
}

function describeBinding({ agent, toolMode }: ApiKey): string {
  return [
    agent === undefined ? undefined : `only as the agent ${agent}`,
    toolMode === undefined ? undefined : modes[toolMode],
  ]
    .filter(Boolean)
    .join(' · ')
}

function KeyEnd({ apiKey: { revokedAt, expiresAt, oldSecretUntil } }: { apiKey: ApiKey }) {
  const now = useNow()
  if (revokedAt !== undefined) {
    return (
      <span>
        <Tag tone="deny">revoked</Tag> <TimeAgo at={revokedAt} />
      </span>
    )
  }
  const isSoon = expiresAt !== undefined && Date.parse(expiresAt) - now < 7 * 86_400_000
  const isRotating = oldSecretUntil !== undefined && Date.parse(oldSecretUntil) > now
  return (
    <span className={styles.two}>
      {expiresAt === undefined ? (
        <span className={styles.dim}>Never</span>
      ) : isSoon ? (
        <Tag tone="ask">
          <TimeAgo at={expiresAt} />
        </Tag>
      ) : (
        <TimeAgo at={expiresAt} />
      )}
      {isRotating && (
        <span className={styles.dim}>
          the old secret ends <TimeAgo at={oldSecretUntil} />
        </span>
      )}
    </span>
  )
}

interface KeyMenuProps {
  apiKey: ApiKey
  onIssued: (key: IssuedKey) => void
}

function KeyMenu({ apiKey: { id, name }, onIssued }: KeyMenuProps) {
  const queryClient = useQueryClient()
  const [isRotating, setIsRotating] = useState(false)
  const revoke = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/keys/{id}', { params: { path: { id } } })),
    onSuccess: () => notifySuccess(`${name} revoked`),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
  const ask = async () => {
    const isSure = await confirm({
      title: `Revoke ${name}?`,
      message: 'Requests with this key are refused immediately. This can’t be undone.',
      confirmLabel: 'Revoke',
      isDangerous: true,
    })
    if (isSure) revoke.mutate()
  }
  return (
    <>
      <RowActions
        name={name}
        width={180}
        actions={[
          { label: 'Rotate', icon: IconRefresh, onClick: () => setIsRotating(true) },
          { label: 'Revoke', icon: IconTrash, isDangerous: true, onClick: () => void ask() },
        ]}
      />
      {isRotating && (
        <RotateDialog
          id={id}
          name={name}
          onClose={() => setIsRotating(false)}
          onIssued={(key) => {
            setIsRotating(false)
            onIssued(key)
          }}
        />
      )}
    </>
  )
}
