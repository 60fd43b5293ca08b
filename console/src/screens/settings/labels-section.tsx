import { Button, Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { nameRuleAuthor, useNames } from '../../api/use-names.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { describeMatch, usePatternMatches } from '../agents/parts/use-pattern-matches.ts'
import styles from './settings.module.css'

type Label = Api<'Label'>

/** Data labels set by operators: what tools read and affect. */
export function LabelsSection() {
  const mayWrite = useCan('policy.write')
  const [isAdding, setIsAdding] = useState(false)
  const query = useQuery({
    queryKey: ['policies', 'labels'],
    queryFn: () => read(api.GET('/api/v1/labels')),
  })
  return (
    <>
      <Panel
        isFlush
        title="Labels"
        description="After a session has read both untrusted and private data, external effects need approval."
        actions={
          mayWrite && (
            <Button
              size="xs"
              leftSection={<IconPlus size={15} stroke={1.6} />}
              onClick={() => setIsAdding(true)}
            >
              New label
            </Button>
          )
        }
      >
        <QueryView query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No labels" icon={<IconTag size={24} stroke={1.5} aria-hidden="true" />}>
                Only the labels that tools declare themselves apply. Label tools that read text from
                strangers, or private data.
              </Empty>
            ) : (
              <ListTable label="Labels" head={['Tools', 'Read', 'Effect', 'Set by', '']}>
                {items.map((label) => (
                  <LabelRow
                    key={`${label.pattern} ${label.isDeclared}`}
                    label={label}
                    mayWrite={mayWrite}
                  />
                ))}
              </ListTable>
            )
          }
        </QueryView>
      </Panel>
      {isAdding && <LabelDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

function LabelRow({ label, mayWrite }: { label: Label; mayWrite: boolean }) {
  const queryClient = useQueryClient()
  const { pattern, reads, effects, isDeclared, setBy } = label
  const nameOf = useNames()
  const remove = useMutation({
    mutationFn: () =>
      read(api.DELETE('/api/v1/labels/{pattern}', { params: { path: { pattern } } })),
    onSuccess: () => notifySuccess(`Label of ${pattern} removed`),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['policies'] }),
  })
  return (
    <tr>
      <Cell kind="name">
        <code>{pattern}</code>
      </Cell>
      <Cell label="Read">
        {reads !== undefined && (
          <span className={styles.tags}>
            {reads.map((kind) => (
              <Tag key={kind}>{kind}</Tag>
            ))}
            {reads.length === 0 && 'neither'}
          </span>
        )}
      </Cell>
      <Cell label="Effect">{effects}</Cell>
      <Cell label="Set by">
        <span className={styles.dim}>
          {isDeclared ? 'Configuration' : nameRuleAuthor(setBy, nameOf)}
        </span>
      </Cell>
      <Cell kind="actions">
        {mayWrite && !isDeclared && (
          <Button
            size="xs"
            variant="default"
            onClick={() => remove.mutate()}
            aria-label={`Remove label of ${pattern}`}
          >
            Remove
          </Button>
        )}
      </Cell>
    </tr>
  )
}

const effectChoices = [
  { value: '', label: 'Not set: derived from the tool' },
  { value: 'none', label: 'None' },
  { value: 'local', label: 'Local' },
  { value: 'external', label: 'External: data leaves this server' },
  { value: 'irreversible', label: 'Irreversible' },
]

/** The tools that a label would apply to, before it is saved. */
function Matches({ pattern }: { pattern: string }) {
  const [typed] = useDebouncedValue(pattern, 300)
  const match = usePatternMatches(typed === '' ? [] : [typed])(typed)
  if (match === undefined || typed !== pattern) return null
  const text = `${typed} ${describeMatch(match)}`
  return <output>{match.count === 0 ? <Tag tone="ask">{text}</Tag> : <Tag>{text}</Tag>}</output>
}

function LabelDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [pattern, setPattern] = useState('')
  const [reads, setReads] = useState<string[]>([])
  const [effects, setEffects] = useState('')
  const save = useMutation({
    mutationFn: () =>
      read(
        api.PUT('/api/v1/labels/{pattern}', {
          params: { path: { pattern: pattern.trim() } },
          body: {
            ...(reads.length > 0 && { reads: reads as NonNullable<Label['reads']> }),
            ...(effects !== '' && { effects: effects as NonNullable<Label['effects']> }),
          },
        }),
      ),
    async onSuccess() {
      notifySuccess(`Label for ${pattern} saved`)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['policies'] })
    },
  })
  return (
    <FormDialog
      title="New label"
      confirmLabel="Save"
      isReady={pattern.trim() !== '' && (reads.length > 0 || effects !== '')}
      task={save}
      onClose={onClose}
    >
      <TextInput
        label="Tools"
        description="A name, or a pattern such as web.*"
        value={pattern}
        onChange={({ currentTarget: { value } }) => setPattern(value)}
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
      />
      <Matches pattern={pattern.trim()} />
      <Checkbox.Group label="Reads" value={reads} onChange={setReads}>
        <Stack gap="xs" mt="xs">
          <Checkbox value="untrusted" label="Untrusted text, written by strangers" />
          <Checkbox value="private" label="Private data" />
        </Stack>
      </Checkbox.Group>
      <Select
        label="Effect"
        data={effectChoices}
        value={effects}
        onChange={(chosen) => setEffects(chosen ?? '')}
        allowDeselect={false}
      />
    </FormDialog>
  )
}
