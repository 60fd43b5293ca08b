import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { faultAt } from '../../api/problem.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { toDay } from './expiry.ts'
import { NotesFields, toNotes } from './notes-fields.tsx'
import type { NotesDraft } from './notes-fields.tsx'
import type { SecretRow } from './secret-rows.ts'

/** Changes the description and expiry of a secret. The value is not touched. */
export function NotesDialog({ row, onClose }: { row: SecretRow; onClose: () => void }) {
  const queryClient = useQueryClient()
  const { name, agent } = row
  const [draft, setDraft] = useState<NotesDraft>({
    description: row.description ?? '',
    until: toDay(row.expiresAt),
  })
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PATCH('/api/v1/secrets/{name}', {
          params: { path: { name } },
          body: { ...toNotes(draft), ...(agent !== undefined && { agent }) },
        }),
      ),
    async onSuccess() {
      notifySuccess(`${name} saved`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['secrets'] })
    },
  })
  const error = faultAt(save.error, '/description')
  return (
    <FormDialog
      title={agent === undefined ? `Details of ${name}` : `Details of ${name} for ${agent}`}
      confirmLabel="Save"
      task={save}
      isPlaced={error !== undefined}
      onClose={onClose}
    >
      <NotesFields
        draft={draft}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        error={error}
      />
    </FormDialog>
  )
}
