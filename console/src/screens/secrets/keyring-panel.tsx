import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconRefresh } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan, useMe } from '../../api/me.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Tag } from '../../ui/tag.tsx'
import styles from './secrets.module.css'

type Keyring = Api<'Keyring'>
type MasterKey = Keyring['keys'][number]

/** The master keys, for owners of the installation. */
export function KeyringPanel() {
  const { tenant } = useMe()
  const holdsAll = useCan('*')
  return holdsAll && tenant === 'default' ? <Ring /> : null
}

function Ring() {
  const query = useQuery({
    queryKey: ['secrets', 'keyring'],
    queryFn: () => read(api.GET('/api/v1/keyring')),
  })
  const rotate = useRotation()
  const ask = async () => {
    const isSure = await confirm({
      title: 'Rotate the master key?',
      message:
        'All encrypted data moves to a new key while the server runs. The old key is kept until you delete it; older backups need it.',
      confirmLabel: 'Rotate',
    })
    if (isSure) rotate.mutate()
  }
  return (
    <Panel
      isFlush
      title="Master keys"
      description="They encrypt all secrets of this installation. Keep a copy apart from the data: without the key, the secrets are lost."
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={15} stroke={1.6} />}
          loading={rotate.isPending}
          onClick={() => void ask()}
        >
          Rotate key
        </Button>
      }
    >
      <QueryView query={query}>{(ring) => <Keys ring={ring} />}</QueryView>
    </Panel>
  )
}

function Keys({ ring }: { ring: Keyring }) {
  return (
    <ListTable label="Master keys" head={['Key', 'State', 'Encrypts', '']}>
      {ring.keys.map((key) => (
        <tr key={key.id}>
          <Cell kind="name">
            <span className={styles.name}>
              <CopyText text={key.id} />
              {key.isActive && <span className={styles.dim}>{ring.place}</span>}
            </span>
          </Cell>
          <Cell label="State">
            <KeyState masterKey={key} isNext={key.id === ring.nextId} />
          </Cell>
          <Cell label="Encrypts">
            {describeCount(key.secrets, 'secret')}, {describeCount(key.inputs, 'pending input')}
          </Cell>
          <Cell kind="actions">
            <DeleteKey masterKey={key} />
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

function KeyState({ masterKey, isNext }: { masterKey: MasterKey; isNext: boolean }) {
  const { isActive, isHeld, missingOn } = masterKey
  return (
    <Group gap={6}>
      <Tag tone={isActive ? 'allow' : 'plain'}>
        {isActive ? 'Active' : isNext ? 'Next' : 'Kept for older secrets'}
      </Tag>
      {!isHeld && <Tag tone="deny">Not available on this node</Tag>}
      {missingOn.length > 0 && <Tag tone="ask">Missing on {missingOn.join(', ')}</Tag>}
    </Group>
  )
}

function DeleteKey({
  masterKey: { id, isActive, secrets, inputs, pepper },
}: {
  masterKey: MasterKey
}) {
  const queryClient = useQueryClient()
  const drop = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/keyring/{id}', { params: { path: { id } } })),
    onSuccess: ({ isGone }) =>
      notifySuccess(
        isGone ? `${id} deleted` : `${id} is no longer used. Delete your copies of it, too.`,
      ),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['secrets', 'keyring'] }),
  })
  if (isActive || pepper || secrets + inputs > 0) return null
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${id}?`,
      message: 'No secret uses it any more. Backups that need it can no longer be opened.',
      confirmLabel: 'Delete',
      isDangerous: true,
    })
    if (isSure) drop.mutate()
  }
  return (
    <Button size="xs" variant="default" onClick={() => void ask()} aria-label={`Delete ${id}`}>
      Delete
    </Button>
  )
}

/** Re-encrypts a thousand at a time until all are done. */
function useRotation() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn() {
      let step = await read(api.POST('/api/v1/keyring/rotate', { body: {} }))
      while (!step.isDone) {
        step = await read(api.POST('/api/v1/keyring/rotate', { body: { resume: true } }))
      }
      return step
    },
    onSuccess: ({ keyId }) => notifySuccess(`All secrets now use ${keyId}`),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['secrets', 'keyring'] }),
  })
}

function describeCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
