import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  IconLink,
  IconLogout,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { useCan, useMe } from '../../../api/me.ts'
import { Cell, ListTable } from '../../../ui/list/list-table.tsx'
import { RowActions } from '../../../ui/list/row-actions.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { Tag } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { ShownOnce } from '../shown-once.tsx'
import type { Member } from './member.ts'
import styles from '../settings.module.css'

interface MemberTableProps {
  members: readonly Member[]
  /** All members are loaded, so the last owner is known. */
  hasAll: boolean
  onEdit: (member: Member) => void
}

export function MemberTable({ members, hasAll, onEdit }: MemberTableProps) {
  const me = useMe()
  const mayManage = useCan('members.manage')
  const owners = members.filter(({ role, status }) => role === 'owner' && status === 'active')
  return (
    <ListTable label="Members" head={['Name', 'Role', 'Extra permissions', 'Since', '']}>
      {members.map((member) => (
        <tr key={member.id}>
          <Cell kind="name">
            <span className={styles.two}>
              <span>
                <span className={styles.strong} dir="auto">
                  {member.name}
                </span>{' '}
                {member.id === me.principal.id && <Tag tone="iris">you</Tag>}
              </span>
              <span className={styles.dim} dir="auto">
                {member.email ?? 'no email address'}
              </span>
            </span>
          </Cell>
          <Cell label="Role">
            <span className={styles.tags}>
              <Tag>{member.role}</Tag>
              {member.status === 'suspended' && <Tag tone="ask">suspended</Tag>}
            </span>
          </Cell>
          <Cell label="Extra permissions">
            {member.permissions.length > 0 && (
              <span className={styles.tags}>
                {member.permissions.map((permission) => (
                  <Tag key={permission}>{permission}</Tag>
                ))}
              </span>
            )}
          </Cell>
          <Cell label="Since">
            <TimeAgo at={member.createdAt} />
          </Cell>
          <Cell kind="menu">
            {mayManage && (
              <MemberMenu
                member={member}
                isLastOwner={hasAll && owners.length === 1 && owners[0]?.id === member.id}
                onEdit={() => onEdit(member)}
              />
            )}
          </Cell>
        </tr>
      ))}
    </ListTable>
  )
}

interface MemberMenuProps {
  member: Member
  isLastOwner: boolean
  onEdit: () => void
}

function MemberMenu({ member, isLastOwner, onEdit }: MemberMenuProps) {
  const { change, remove, signOut, makeLink, link, dropLink } = useMemberActions(member)
  const isActive = member.status === 'active'
  return (
    <>
      <RowActions
        name={member.name}
        width={230}
        actions={[
          { label: 'Edit name and role', icon: IconPencil, onClick: onEdit },
          {
            label: 'Create sign-in link',
            icon: IconLink,
            isDisabled: !isActive,
            onClick: () => makeLink.mutate(),
          },
          { label: 'Sign out everywhere', icon: IconLogout, onClick: () => signOut.mutate() },
          {
            label: isActive ? 'Suspend' : 'Reactivate',
            icon: isActive ? IconPlayerPause : IconPlayerPlay,
            isDisabled: isLastOwner,
            onClick: () => void change(),
          },
          {
            label: 'Remove',
            icon: IconTrash,
            isDangerous: true,
            isDisabled: isLastOwner,
            onClick: () => void remove(),
          },
        ]}
        note={
          isLastOwner
            ? 'The last active owner can’t be changed. Add another owner first.'
            : undefined
        }
      />
      {link !== undefined && (
        <ShownOnce
          title={`Sign-in link for ${member.name}`}
          what="link"
          text={link}
          onClose={dropLink}
        >
          Send this link to them yourself. It works once and expires after an hour.
        </ShownOnce>
      )}
    </>
  )
}

function useMemberActions({ id, name, status }: Member) {
  const queryClient = useQueryClient()
  const [link, setLink] = useState<string>()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['members'] })
  const params = { path: { id } }
  const set = useMutation({
    mutationFn: (wanted: Member['status']) =>
      read(api.PATCH('/api/v1/members/{id}', { params, body: { status: wanted } })),
    onSuccess: (member) =>
      notifySuccess(member.status === 'active' ? `${name} reactivated` : `${name} suspended`),
    onError: notifyFailure,
    onSettled,
  })
  const drop = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/members/{id}', { params })),
    onSuccess: () => notifySuccess(`${name} removed`),
    onError: notifyFailure,
    onSettled,
  })
  const signOut = useMutation({
    mutationFn: () => read(api.DELETE('/api/v1/sign-ins', { params: { query: { member: id } } })),
    onSuccess: ({ ended }) => notifySuccess(`${ended} sign-ins ended`),
    onError: notifyFailure,
  })
  const makeLink = useMutation({
    mutationFn: () => read(api.POST('/api/v1/sign-in-links', { body: { member: id } })),
    onSuccess: ({ url }) => setLink(url),
    onError: notifyFailure,
  })
  return {
    signOut,
    makeLink,
    link,
    dropLink: () => setLink(undefined),
    async change() {
      if (status === 'suspended') return set.mutate('active')
      const isSure = await confirm({
        title: `Suspend ${name}?`,
        message:
          'They are signed out everywhere and can’t sign in. Their API keys keep working; revoke them separately.',
        confirmLabel: 'Suspend',
        isDangerous: true,
      })
      if (isSure) set.mutate('suspended')
    },
    async remove() {
      const isSure = await confirm({
        title: `Remove ${name}?`,
        message: 'They are signed out everywhere, and their API keys are revoked.',
        confirmLabel: 'Remove',
        isDangerous: true,
      })
      if (isSure) drop.mutate()
    },
  }
}
