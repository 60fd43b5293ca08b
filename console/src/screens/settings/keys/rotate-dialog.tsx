import { Select, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import type { IssuedKey } from './api-key.ts'

interface RotateDialogProps {
  id: string
  name: string
  onClose: () => void
  onIssued: (key: IssuedKey) => void
}

const overlaps = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In an hour' },
  { value: '86400', label: 'In a day' },
  { value: '604800', label: 'In seven days' },
]

/** Gives a key a new secret, and keeps the old one valid for a while. */
export function RotateDialog({ id, name, onClose, onIssued }: RotateDialogProps) {
  const queryClient = useQueryClient()
  const [overlap, setOverlap] = useState('3600')
  const rotate = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/keys/{id}/rotate', {
          params: { path: { id } },
          body: { overlapSeconds: Number(overlap) },
        }),
      ),
    async onSuccess(key) {
      onIssued(key)
      await queryClient.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  return (
    <FormDialog title={`Rotate ${name}`} confirmLabel="Rotate" task={rotate} onClose={onClose}>
      <Text size="sm">
        The key gets a new secret and keeps its scopes and expiry. If you rotate a key, you become
        its owner.
      </Text>
      <Select
        label="Old secret expires"
        data={overlaps}
        value={overlap}
        onChange={(chosen) => setOverlap(chosen ?? '0')}
        allowDeselect={false}
      />
    </FormDialog>
  )
}
