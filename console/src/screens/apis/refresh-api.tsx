import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Refused } from '../../ui/refused.tsx'
import { refreshApis } from './api-queries.ts'
import type { ImportedApi } from './api-queries.ts'
import { blankDocument, DocumentInput, isWhole } from './document-input.tsx'
import type { DocumentDraft } from './document-input.tsx'
import { toPlace } from './to-place.ts'

/** Reads the document again: from its address, or as a file where it was uploaded. */
export function RefreshApi({ imported: { name, url } }: { imported: ImportedApi }) {
  const [isAsking, setAsking] = useState(false)
  const refresh = useRefresh(name, () => setAsking(false))
  return (
    <>
      <Button
        variant="default"
        loading={refresh.isPending && !isAsking}
        leftSection={<IconRefresh size={15} aria-hidden="true" />}
        onClick={() =>
          url === undefined
            ? setAsking(true)
            : refresh.mutate(undefined, { onError: notifyFailure })
        }
      >
        Refresh
      </Button>
      {isAsking && <NewDocument refresh={refresh} onClose={() => setAsking(false)} />}
    </>
  )
}

function useRefresh(name: string, onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (draft: DocumentDraft | undefined) => {
      const place = draft === undefined ? {} : await toPlace(draft)
      const { url: _url, ...body } = { url: undefined, ...place }
      return read(api.POST('/api/v1/apis/{name}/refresh', { params: { path: { name } }, body }))
    },
    onSuccess: ({ added, changed, removed }) => {
      const parts = [
        added.length > 0 && `${added.length} added`,
        changed.length > 0 && `${changed.length} changed`,
        removed.length > 0 && `${removed.length} removed`,
      ].filter(Boolean)
      notifySuccess(parts.length > 0 ? `${name}: ${parts.join(', ')}` : 'Nothing has changed')
      onDone()
    },
    onSettled: () => refreshApis(queryClient),
  })
}

interface NewDocumentProps {
  refresh: ReturnType<typeof useRefresh>
  onClose: () => void
}

function NewDocument({ refresh, onClose }: NewDocumentProps) {
  const [draft, setDraft] = useState<DocumentDraft>({ ...blankDocument, from: 'file' })
  return (
    <GuardedModal opened onClose={onClose} title="Refresh from a new document">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          refresh.mutate(draft)
        }}
      >
        <Stack gap="sm">
          <DocumentInput
            withoutUrl
            draft={draft}
            set={(change) => setDraft((before) => ({ ...before, ...change }))}
          />
          <output>{refresh.isError && <Refused error={refresh.error} />}</output>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isWhole(draft)} loading={refresh.isPending}>
              Refresh
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}
