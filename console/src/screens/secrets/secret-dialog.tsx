import { Autocomplete, Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { faultAt } from '../../api/problem.ts'
import { AgentSelect } from '../../ui/agent-select.tsx'
import { Caution } from '../../ui/dialog/caution.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { NotesFields, toNotes } from './notes-fields.tsx'
import type { NotesDraft } from './notes-fields.tsx'
import { describeTools } from './secret-rows.ts'
import type { SecretRow } from './secret-rows.ts'

const mono = { fontFamily: 'var(--mantine-font-family-monospace)' }

interface SecretDialogProps {
  /** The secret to set; without a name, one is entered. */
  subject: Pick<SecretRow, 'name'> & Partial<SecretRow>
  rows: readonly SecretRow[]
  onClose: () => void
}

/** Sets the value of a secret. The value leaves the page when it is saved, and is stored nowhere else. */
export function SecretDialog({ subject, rows, onClose }: SecretDialogProps) {
  const isFixed = subject.state !== undefined
  const [name, setName] = useState(subject.name)
  const [agent, setAgent] = useState(subject.agent ?? '')
  const [value, setValue] = useState('')
  const [isLong, setIsLong] = useState(false)
  // The expiry belongs to the value: a new value gets a new one.
  const [notes, setNotes] = useState({ description: subject.description ?? '', until: '' })
  const row = rows.find((one) => one.name === name && (one.agent ?? '') === agent)
  const known = row ?? rows.find((one) => one.name === name)
  const save = useSave({
    name,
    body: toBody({ value, agent, notes, isFixed }),
    onSaved: onClose,
  })
  const atValue = faultAt(save.error, '/value')
  const atNotes = faultAt(save.error, '/description')
  const isReplacing = row?.updatedAt !== undefined
  return (
    <FormDialog
      title={isFixed ? `${isReplacing ? 'Replace' : 'Set'} ${name}` : 'Add secret'}
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
          none="Everyone in this tenant"
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
      <Caution>{describeEffect(known, isReplacing)}</Caution>
    </FormDialog>
  )
}

interface BodyFacts {
  value: string
  agent: string
  notes: NotesDraft
  isFixed: boolean
}

function toBody({ value, agent, notes, isFixed }: BodyFacts): Api<'SecretValue'> {
  const { description, expiresAt } = toNotes(notes)
  return {
    value,
    ...(agent !== '' && { agent }),
    expiresAt,
    // A typed name may belong to a secret whose description was not on screen.
    ...((isFixed || description !== null) && { description }),
  }
}

interface SaveOptions {
  name: string
  body: Api<'SecretValue'>
  onSaved: () => void
}

function useSave({ name, body, onSaved }: SaveOptions) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      read(api.PUT('/api/v1/secrets/{name}', { params: { path: { name: name.trim() } }, body })),
    async onSuccess() {
      notifySuccess(`${name} saved`)
      onSaved()
      await queryClient.invalidateQueries({ queryKey: ['secrets'] })
    },
  })
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
      description="The name that tools declare."
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
      // Browsers offer to save a new-password for this site, and often ignore off for passwords.
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      data-autofocus
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the value' }}
      error={error}
      required
    />
  )
}

function missingNames(rows: readonly SecretRow[]): string[] {
  return [...new Set(rows.filter(({ state }) => state !== 'set').map(({ name }) => name))]
}

function describeEffect(row: SecretRow | undefined, isReplacing: boolean): string {
  const when = isReplacing ? 'Takes effect with the next call.' : 'Takes effect immediately.'
  const { requiredBy = [], usedBy = [] } = row ?? {}
  if (row?.state === 'missing' && requiredBy.length > 0) {
    return `${when} ${describeTools(requiredBy)} can then run.`
  }
  if (usedBy.length > 0) return `${when} ${describeTools(usedBy)} will use it.`
  return `${when} No tool uses this name yet.`
}
