import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { notifySuccess } from '../../../ui/notify.ts'
import type { Member } from './member.ts'
import { RoleFields } from './role-fields.tsx'

/** Changes a member's name, role and extra permissions. */
export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(member.name)
  const [role, setRole] = useState(member.role)
  const [permissions, setPermissions] = useState<readonly string[]>(member.permissions)
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PATCH('/api/v1/members/{id}', {
          params: { path: { id: member.id } },
          body: { name: name.trim(), role, permissions: [...permissions] },
        }),
      ),
    async onSuccess() {
      notifySuccess(`${name} saved`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['members'] })
      await queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
  return (
    <FormDialog
      title={`Edit ${member.name}`}
      confirmLabel="Save"
      isReady={name.trim() !== ''}
      task={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget: { value } }) => setName(value)}
        maxLength={100}
        autoComplete="off"
        required
      />
      <RoleFields
        role={role}
        permissions={permissions}
        onRole={setRole}
        onPermissions={setPermissions}
      />
    </FormDialog>
  )
}
