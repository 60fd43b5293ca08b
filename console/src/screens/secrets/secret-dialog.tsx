import { Autocomplete, Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { faultAt } from '../../api/problem.ts'
import { AgentSelect } from '../../ui/agent-select.tsx'
import { Caution } from '../../ui/dialog/caution.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { NotesFields, toNotes } from './notes-fields.tsx'
import { sayTools } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'

const mono = { fontFamily: 'var(--mantine-font-family-monospace)' }

interface SecretDialogProps {
  /** The one to set; without a name, one is chosen. */
  subject: Pick<SecretRow, 'name'> & Partial<SecretRow>
  rows: readonly SecretRow[]
  onClose: () => void
}

/** Where a value goes in. It leaves the page when it is saved, and stays nowhere. */
export function SecretDialog({ subject, rows, onClose }: SecretDialogProps) {
  const queryClient = useQueryClient()
  const isFixed = subject.state !== undefined
  const [name, setName] = useState(subject.name)
  const [agent, setAgent] = useState(subject.agent ?? '')
  const [value, setValue] = useState('')
  const [isLong, setIsLong] = useState(false)
  // When it expires is of the value: a new one has a day of its own.
  const [notes, setNotes] = useState({ description: subject.description ?? '', until: '' })
  const row = rows.find((one) => one.name === name && (one.agent ?? '') === agent)
  const known = row ?? rows.find((one) => one.name === name)
  const { description, expiresAt } = toNotes(notes)
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PUT('/api/v1/secrets/{name}', {
          params: { path: { name: name.trim() } },
          body: {
            value,
            ...(agent !== '' && { agent }),
            expiresAt,
            // A name that was typed may have a description that was not on the screen.
            ...((isFixed || description !== null) && { description }),
          },
        }),
      ),
    async onSuccess() {
      notifySuccess(`${name} saved`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['secrets'] })
    },
  })
  const atValue = faultAt(save.error, '/value')
  const atNotes = faultAt(save.error, '/description')
  const isReplacing = row?.updatedAt !== undefined
  return (
    <FormDialog
      title={isFixed ? `${isReplacing ? 'Replace' : 'Set'} ${name}` : 'Add a secret'}
      confirmLabel="Save"
      isReady={name.trim() !== '' && value !== ''}
      task={save}
      isPlaced={[atValue, atNotes].some((fault) => fault !== undefined)}
      onClose={onClose}
    >
      <NameField name={name} isFixed={isFixed} rows={rows} onChange={setName} />
      {!isFixed && (
        <AgentSelect
          label="For"
          description="A value for one agent overrides the shared one."
          none="Everybody in this tenant"
          agent={agent}
          onChange={setAgent}
        />
      )}
      <ValueField row={known} value={value} isLong={isLong} onChange={setValue} error={atValue} />
      {known?.requirement?.type !== 'select' && (
        <Checkbox
          label="Multi-line value, such as a certificate"
          description="The value is visible while you type."
          checked={isLong}
          onChange={({ currentTarget: { checked } }) => setIsLong(checked)}
        />
      )}
      <NotesFields
        draft={notes}
        onChange={(change) => setNotes((before) => ({ ...before, ...change }))}
        error={atNotes}
      />
      <Caution>{sayEffect(known, isReplacing)}</Caution>
    </FormDialog>
  )
}

interface NameFieldProps {
  name: string
  isFixed: boolean
  rows: readonly SecretRow[]
  onChange: (name: string) => void
}

function NameField({ name, isFixed, rows, onChange }: NameFieldProps) {
  if (isFixed) return <TextInput label="Name" value={name} disabled styles={{ input: mono }} />
  return (
    <Autocomplete
      label="Name"
      description="As declared by tools."
      value={name}
      onChange={onChange}
      data={missingNames(rows)}
      required
      maxLength={200}
      data-autofocus
    />
  )
}

interface ValueFieldProps {
  row: SecretRow | undefined
  value: string
  isLong: boolean
  onChange: (value: string) => void
  error: string | undefined
}

function ValueField({ row, value, isLong, onChange, error }: ValueFieldProps) {
  const label = row?.label === undefined ? 'Value' : `Value: ${row.label}`
  if (row?.requirement?.type === 'select') {
    return (
      <Select
        label={label}
        data={row.requirement.choices}
        value={value === '' ? (row.value ?? null) : value}
        onChange={(chosen) => onChange(chosen ?? '')}
        error={error}
        required
        allowDeselect={false}
      />
    )
  }
  if (isLong) {
    return (
      <Textarea
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        autosize
        minRows={5}
        maxRows={12}
        autoComplete="off"
        spellCheck={false}
        error={error}
        styles={{ input: mono }}
        required
      />
    )
  }
  return (
    <PasswordInput
      label={label}
      description="Can’t be shown again after saving."
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      // Browsers offer to keep a new-password for this site; off is often not heard for passwords.
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      data-autofocus
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what you type' }}
      error={error}
      required
    />
  )
}

function missingNames(rows: readonly SecretRow[]): string[] {
  return [...new Set(rows.filter(({ state }) => state !== 'set').map(({ name }) => name))]
}

function sayEffect(row: SecretRow | undefined, isReplacing: boolean): string {
  const when = isReplacing ? 'Takes effect with the next call.' : 'Takes effect immediately.'
  const { requiredBy = [], usedBy = [] } = row ?? {}
  if (row?.state === 'missing' && requiredBy.length > 0) {
    return `${when} ${sayTools(requiredBy)} can run then.`
  }
  if (usedBy.length > 0) return `${when} ${sayTools(usedBy)} will use it.`
  return `${when} No tool asks for this name yet.`
}
