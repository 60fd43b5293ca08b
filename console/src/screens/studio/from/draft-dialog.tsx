import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { GuardedModal } from '../../../ui/dialog/guarded-dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Refused } from '../../../ui/refused.tsx'
import { toDocument } from '../editor/document.ts'
import { textOf } from '../spec/spec-draft.ts'
import { refreshStudio } from '../studio-queries.ts'
import { StepsOf } from './steps-of.tsx'
import styles from './from.module.css'

export type DraftConstant = Api<'DraftConstant'>

/** A document that something else was turned into. Nothing is kept yet. */
export interface MadeDraft {
  document?: unknown
  notes?: readonly string[]
  findings: readonly Pick<Api<'ToolFinding'>, 'path' | 'message' | 'severity'>[]
  constants?: readonly DraftConstant[]
  replayed?: number
}

interface DraftDialogProps {
  made: MadeDraft
  /** The same with these constants as inputs. */
  remake?: (inputs: readonly DraftConstant[]) => Promise<MadeDraft>
  onClose: () => void
}

/** Shows what a draft would be, before it is created and opened in the studio. */
export function DraftDialog({ made, remake, onClose }: DraftDialogProps) {
  const document = toDocument(made.document) ?? {}
  const [name, setName] = useState(textOf(document['name']))
  const [description, setDescription] = useState(textOf(document['description']))
  const [asked, setAsked] = useState<readonly DraftConstant[]>([])
  const { constants = [] } = made
  const create = useCreate({ made, remake, onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ name: name.trim(), description: description.trim(), asked })
  }
  return (
    <GuardedModal opened onClose={onClose} title="Make a tool of this" size="lg">
      <form onSubmit={submit}>
        <Stack gap="md">
          <StepsOf document={document} replayed={made.replayed} />
          <TextInput
            label="Name"
            required
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            label="Description"
            description="For models: the purpose of the tool, and when to use it."
            autosize
            minRows={2}
            maxRows={6}
            required
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          {constants.length > 0 && (
            <Constants constants={constants} asked={asked} onChange={setAsked} />
          )}
          <About made={made} />
          {create.isError && <Refused error={create.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create draft
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}

/** The parts that were left out, and its problems. */
function About({ made: { notes = [], findings } }: { made: MadeDraft }) {
  if (notes.length === 0 && findings.length === 0) return null
  return (
    <Notice title="About this draft">
      <ul className={styles.notes}>
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
        {findings.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && <code>{path.slice(1).replaceAll('/', '.')}</code>} {message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

interface ConstantsProps {
  constants: readonly DraftConstant[]
  asked: readonly DraftConstant[]
  onChange: (asked: readonly DraftConstant[]) => void
}

/** The first of them are enough to choose from; the rest can be changed in the studio. */
const maxShown = 40

/** Values that stay as they were, each of which can become an input. */
function Constants({ constants, asked, onChange }: ConstantsProps) {
  return (
    <fieldset className={styles.constants}>
      <legend>Fixed values. Choose those that callers should give:</legend>
      <ul>
        {constants.slice(0, maxShown).map((constant) => {
          const { step, path, value } = constant
          return (
            <li key={`${step} ${path}`}>
              <Checkbox
                checked={asked.includes(constant)}
                onChange={({ currentTarget }) =>
                  onChange(
                    currentTarget.checked
                      ? [...asked, constant]
                      : asked.filter((one) => one !== constant),
                  )
                }
                label={
                  <span className={styles.constant}>
                    <code>
                      {step}
                      {path.replaceAll('/', '.')}
                    </code>
                    <span dir="auto">{String(value) === '' ? 'empty' : String(value)}</span>
                  </span>
                }
              />
            </li>
          )
        })}
      </ul>
      {constants.length > maxShown && <p>and {constants.length - maxShown} more</p>}
    </fieldset>
  )
}

interface Chosen {
  name: string
  description: string
  asked: readonly DraftConstant[]
}

function useCreate({ made, remake, onClose }: DraftDialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ name, description, asked }: Chosen) => {
      const final = asked.length > 0 && remake !== undefined ? await remake(asked) : made
      const document = { ...toDocument(final.document), name, description }
      return read(
        api.POST('/api/v1/tools', { body: { document: document as never, publish: false } }),
      )
    },
    onSuccess: async ({ name }) => {
      onClose()
      await refreshStudio(queryClient)
      await navigate({ to: '/studio/$name', params: { name } })
    },
  })
}
