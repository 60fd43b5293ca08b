import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { toProblem } from '../../../api/problem.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { RoleFields } from './role-fields.tsx'

/** Invites someone by a link that is shown once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('member')
  const [permissions, setPermissions] = useState<readonly string[]>([])
  const invite = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/invitations', {
          body: { email: email.trim(), role, permissions: [...permissions] },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['invitations'] }),
  })
  if (invite.data !== undefined) {
    return (
      <ShownOnce
        title={`Invitation for ${invite.data.invitation.email}`}
        what="link"
        text={invite.data.url}
        onClose={onClose}
      >
        Send this link to them yourself. Anyone who opens it can choose a name and password and
        join. It works once and expires after seven days.
      </ShownOnce>
    )
  }
  const problem = invite.isError ? toProblem(invite.error) : undefined
  const atEmail = problem?.issues.find(({ pointer }) => pointer === '/email')?.message
  return (
    <FormDialog
      title="Invite someone"
      confirmLabel="Create invitation"
      isReady={email.trim() !== ''}
      task={invite}
      isPlaced={atEmail !== undefined}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label="Email address"
        value={email}
        onChange={({ currentTarget: { value } }) => setEmail(value)}
        error={atEmail}
        autoComplete="off"
        required
        data-autofocus
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
