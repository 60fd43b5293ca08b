import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { toProblem } from '../../../api/problem.ts'
import { sayDone } from '../../../ui/say.ts'
import type { Member } from './members-section.tsx'
import { RoleFields } from './role-fields.tsx'

/** Changes a member: name, role, and what they hold beside it. */
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
      sayDone(`${name} is changed`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['members'] })
      await queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const problem = save.isError ? toProblem(save.error) : undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Change ${member.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
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
          {problem !== undefined && (
            <Alert color="red" role="alert" title={problem.message}>
              {problem.fix}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
