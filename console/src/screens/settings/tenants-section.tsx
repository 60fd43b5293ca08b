import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import {
  IconArrowRight,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { session } from '../../api/session.ts'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { ListView } from '../../ui/list/list-view.tsx'
import { Panel } from '../../ui/page.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { TenantDialog } from './tenant-dialog.tsx'
import type { TenantTask } from './tenant-dialog.tsx'
import styles from './settings.module.css'

type Tenant = Api<'Tenant'>

/** The tenants of this server, for the people who run it. */
export function TenantsSection() {
  const me = useMe()
  const [task, setTask] = useState<TenantTask>()
  const query = useInfiniteQuery({
    queryKey: ['tenants', 'list'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/tenants', {
          params: { query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  const tenants = query.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <Panel
        isFlush
        title="Tenants"
        description="A new tenant has no members. Switch to it and invite its first owner under Members."
        actions={
          <Button
            size="xs"
            leftSection={<IconPlus size={15} stroke={1.6} />}
            onClick={() => setTask({ does: 'create' })}
          >
            New tenant
          </Button>
        }
      >
        <ListView query={query} items={tenants} empty={null}>
          {(found) => (
            <ListTable label="Tenants" head={['Name', 'State', 'Since', '']}>
              {found.map((tenant) => (
                <TenantRow
                  key={tenant.slug}
                  tenant={tenant}
                  isHere={tenant.slug === me.tenant}
                  isHome={tenant.slug === (me.home ?? me.tenant)}
                  onTask={setTask}
                />
              ))}
            </ListTable>
          )}
        </ListView>
      </Panel>
      {task !== undefined && <TenantDialog task={task} onClose={() => setTask(undefined)} />}
    </>
  )
}

interface TenantRowProps {
  tenant: Tenant
  isHere: boolean
  isHome: boolean
  onTask: (task: TenantTask) => void
}

function TenantRow({ tenant, isHere, isHome, onTask }: TenantRowProps) {
  const { slug, name, status, reason, isDeclared, createdAt } = tenant
  return (
    <tr>
      <Cell kind="name">
        <span className={styles.two}>
          <span>
            <span className={styles.strong} dir="auto">
              {name}
            </span>{' '}
            {isHere && <Tag tone="iris">current</Tag>}
          </span>
          <code className={styles.dim}>{slug}</code>
        </span>
      </Cell>
      <Cell label="State">
        <span className={styles.two}>
          <Tag tone={status === 'active' ? 'allow' : 'ask'}>
            {status === 'active' ? 'Active' : 'Suspended'}
          </Tag>
          {reason !== undefined && (
            <span className={styles.dim} dir="auto">
              {reason}
            </span>
          )}
          {isDeclared && <span className={styles.dim}>defined in the configuration</span>}
        </span>
      </Cell>
      <Cell label="Since">
        <TimeAgo at={createdAt} />
      </Cell>
      <Cell kind="menu">
        <TenantMenu tenant={tenant} isHere={isHere} isHome={isHome} onTask={onTask} />
      </Cell>
    </tr>
  )
}

function TenantMenu({ tenant, isHere, isHome, onTask }: TenantRowProps) {
  const { slug, name, isDeclared } = tenant
  const isActive = tenant.status === 'active'
  const isDefault = slug === 'default'
  return (
    <RowActions
      name={name}
      actions={[
        {
          label: 'Switch to it',
          icon: IconArrowRight,
          isDisabled: isHere,
          onClick: () => session.enterTenant(isHome ? undefined : slug),
        },
        {
          label: 'Rename',
          icon: IconPencil,
          isDisabled: isDeclared,
          onClick: () => onTask({ does: 'rename', tenant }),
        },
        {
          label: isActive ? 'Suspend' : 'Resume',
          icon: isActive ? IconPlayerPause : IconPlayerPlay,
          isDisabled: isDefault,
          onClick: () => onTask({ does: isActive ? 'suspend' : 'resume', tenant }),
        },
        {
          label: 'Delete',
          icon: IconTrash,
          isDangerous: true,
          isDisabled: isDeclared || isDefault,
          onClick: () => onTask({ does: 'delete', tenant }),
        },
      ]}
      note={
        isDeclared
          ? 'Defined in the configuration. Rename or remove it there.'
          : isDefault
            ? 'The default tenant can’t be removed.'
            : undefined
      }
    />
  )
}
