import { Button, TextInput } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { useCreating } from '../../../ui/dialog/creating.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { Panel } from '../../../ui/page.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import type { Member } from './member.ts'
import { MemberDialog } from './member-dialog.tsx'
import { MemberTable } from './member-table.tsx'
import { RoleHelp } from './role-help.tsx'
import styles from '../settings.module.css'

/** The members, open invitations, and roles of this tenant. */
export function MembersSection() {
  const mayManage = useCan('members.manage')
  const [isInviting, { set: setIsInviting }] = useCreating('member')
  const [edited, setEdited] = useState<Member>()
  const [search, setSearch] = useState('')
  const query = useMembers()
  const members = query.data?.pages.flatMap((page) => page.items)
  const needle = search.trim().toLowerCase()
  const shown = members?.filter(({ name, email = '', role }) =>
    [name, email, role].some((text) => text.toLowerCase().includes(needle)),
  )
  return (
    <>
      <Panel
        isFlush
        title="Members"
        description={
          mayManage
            ? undefined
            : 'Read-only. You need the permission members.manage to make changes.'
        }
        actions={mayManage && <InviteButton onClick={() => setIsInviting(true)} />}
      >
        {members !== undefined && members.length > 8 && (
          <TextInput
            px="md"
            pb="sm"
            maw={360}
            aria-label="Search members"
            placeholder="Search by name, address or role"
            value={search}
            onChange={({ currentTarget: { value } }) => setSearch(value)}
          />
        )}
        <ListView
          query={query}
          items={shown}
          empty={<p className={styles.foot}>No members found.</p>}
        >
          {(found) => (
            <MemberTable members={found} hasAll={!query.hasNextPage} onEdit={setEdited} />
          )}
        </ListView>
      </Panel>
      {mayManage && <InvitationList />}
      <RoleHelp />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
      {edited !== undefined && (
        <MemberDialog member={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}

function InviteButton({ onClick }: { onClick: () => void }) {
  return (
    <Button size="xs" leftSection={<IconUserPlus size={15} stroke={1.6} />} onClick={onClick}>
      Invite someone
    </Button>
  )
}

function useMembers() {
  return useInfiniteQuery({
    queryKey: ['members', 'list'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/members', {
          params: { query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}
