import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { Refused } from '../../ui/refused.tsx'
import { blankApi, toChoice, toSettings } from './api-draft.ts'
import type { ApiDraft } from './api-draft.ts'
import { refreshApis } from './api-queries.ts'
import type { ApiPreview, ApiRequest } from './api-queries.ts'
import { Credentials } from './credentials.tsx'
import { blankDocument, DocumentInput, isWhole } from './document-input.tsx'
import type { DocumentDraft } from './document-input.tsx'
import { PickList } from './pick-list.tsx'
import { toPlace } from './to-place.ts'
import styles from './apis.module.css'

/** A document that was read, and how requests name it. */
interface Found {
  preview: ApiPreview
  place: Awaited<ReturnType<typeof toPlace>>
}

/** Imports an API: first its document, then the choice of its operations. */
export function AddApi({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<Found>()
  const [isPrivate, setPrivate] = useState(false)
  return (
    <GuardedModal opened onClose={onClose} title="Import API" size="lg">
      {found === undefined ? (
        <ChooseDocument
          isPrivate={isPrivate}
          setPrivate={setPrivate}
          onFound={setFound}
          onClose={onClose}
        />
      ) : (
        <ChooseOperations
          found={found}
          isPrivate={isPrivate}
          onBack={() => setFound(undefined)}
          onClose={onClose}
        />
      )}
    </GuardedModal>
  )
}

interface ChooseDocumentProps {
  isPrivate: boolean
  setPrivate: (isPrivate: boolean) => void
  onFound: (found: Found) => void
  onClose: () => void
}

function ChooseDocument({ isPrivate, setPrivate, onFound, onClose }: ChooseDocumentProps) {
  const [draft, setDraft] = useState<DocumentDraft>(blankDocument)
  const preview = useMutation({
    mutationFn: async () => {
      const place = await toPlace(draft)
      const body = { ...place, ...(isPrivate && { private: true }) }
      return { place, preview: await read(api.POST('/api/v1/apis/preview', { body })) }
    },
    onSuccess: onFound,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        preview.mutate()
      }}
    >
      <Stack gap="sm">
        <DocumentInput
          draft={draft}
          set={(change) => setDraft((before) => ({ ...before, ...change }))}
        />
        <Checkbox
          label="Allow local and private addresses"
          checked={isPrivate}
          onChange={({ currentTarget }) => setPrivate(currentTarget.checked)}
        />
        <output>{preview.isError && <Refused error={preview.error} />}</output>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isWhole(draft)} loading={preview.isPending}>
            Preview
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface ChooseOperationsProps {
  found: Found
  isPrivate: boolean
  onBack: () => void
  onClose: () => void
}

function ChooseOperations({ found, isPrivate, onBack, onClose }: ChooseOperationsProps) {
  const { preview, place } = found
  const { operations, schemes, servers } = preview
  const [name, setName] = useState(() => toName(preview.title))
  const [chosen, setChosen] = useState(() => toUsable(operations))
  const [draft, setDraft] = useState<ApiDraft>({ ...blankApi, isPrivate })
  const set = (change: Partial<ApiDraft>) => setDraft((before) => ({ ...before, ...change }))
  const add = useAdd(onClose)
  const settings = toSettings({ ...draft, ...toChoice(operations, chosen) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate({ name, hash: preview.hash, ...place, ...settings })
      }}
    >
      <Stack gap="sm">
        <p className={styles.document}>
          <b>{preview.title}</b> {preview.version} · {operations.length} operations
        </p>
        <TextInput
          label="Name"
          description="Its tools are named api:name:operation"
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Server"
          description="Leave empty for the server that the document names"
          placeholder={servers[0] ?? 'https://api.example.com'}
          required={servers.length === 0}
          value={draft.server}
          onChange={({ currentTarget }) => set({ server: currentTarget.value })}
        />
        <PickList operations={operations} chosen={chosen} onChange={setChosen} />
        <Credentials schemes={schemes} draft={draft} set={set} />
        <output>{add.isError && <Refused error={add.error} />}</output>
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" disabled={chosen.size === 0} loading={add.isPending}>
            Import {chosen.size} {chosen.size === 1 ? 'operation' : 'operations'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function useAdd(onDone: () => void) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: ApiRequest) => read(api.POST('/api/v1/apis', { body })),
    onSuccess: async ({ name }) => {
      notifySuccess(`${name} imported`)
      onDone()
      await navigate({ to: '/apis/$name', params: { name } })
      await refreshApis(queryClient)
    },
  })
}

/** Operations that can become tools are chosen at first. */
function toUsable(operations: ApiPreview['operations']): Set<string> {
  const usable = operations.filter(({ fault }) => fault === undefined)
  return new Set(usable.map(({ name }) => name))
}

/** A name to begin with, from the title of the document. */
function toName(title: string): string {
  const plain = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return plain.replaceAll(/^-+|-+$/g, '').slice(0, 30)
}
