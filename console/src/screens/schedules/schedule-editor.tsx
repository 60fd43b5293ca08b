import { Button, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useImperativeHandle, useRef, useState } from 'react'
import type { FormEvent, Ref } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { toProblem } from '../../api/problem.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { ToolInput, useToolInput } from '../../form/tool-input.tsx'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { AgentSelect } from '../../ui/agent-select.tsx'
import { Caution } from '../../ui/dialog/caution.tsx'
import { Refused } from '../../ui/refused.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { GuardedDrawer } from '../../ui/dialog/guarded-dialog.tsx'
import type { Schedule } from './use-schedule-actions.ts'
import { toWhenDraft, toWhenRequest } from './when-draft.ts'
import type { WhenDraft } from './when-draft.ts'
import { ToolSelect } from '../../ui/tool-select.tsx'
import { WhenFields } from './when-fields.tsx'
import styles from './schedules.module.css'

interface ScheduleEditorProps {
  /** The schedule to change; undefined to create one. */
  schedule: Schedule | undefined
  /** The tool to preselect for a new schedule. */
  tool: string | undefined
  onClose: (saved?: Schedule) => void
}

/** Creates or changes a schedule. */
export function ScheduleEditor({ schedule, tool: given, onClose }: ScheduleEditorProps) {
  return (
    <GuardedDrawer
      opened
      onClose={() => onClose()}
      position="right"
      size="xl"
      title={schedule === undefined ? 'New schedule' : `Edit ${schedule.name}`}
    >
      <EditorForm schedule={schedule} tool={given} onClose={onClose} />
    </GuardedDrawer>
  )
}

interface Draft {
  name: string
  note: string
  tool: string
  agent: string
  when: WhenDraft
  overlap: Schedule['overlap']
  retries: number
}

function toDraft(schedule: Schedule | undefined, tool: string | undefined): Draft {
  const blank: Partial<Schedule> = { tool }
  const { name = '', note = '', when, overlap = 'skip', retries = 3, ...from } = schedule ?? blank
  const draft = { name, note, agent: '', when: toWhenDraft(when), overlap, retries }
  return { ...draft, tool: from.tool ?? '' }
}

function toRequest({ agent, note, when, ...rest }: Draft, input: unknown) {
  const request = { ...rest, input, when: toWhenRequest(when) }
  const optional = { ...(agent !== '' && { agent }), ...(note !== '' && { note }) }
  return { ...request, ...optional }
}

interface EditorButtonsProps {
  yes: string
  isSaving: boolean
  isReady: boolean
  onClose: () => void
}

function EditorButtons({ yes, isSaving, isReady, onClose }: EditorButtonsProps) {
  return (
    <div className={styles.foot}>
      <Button variant="default" onClick={() => onClose()}>
        Cancel
      </Button>
      <Button type="submit" loading={isSaving} disabled={!isReady}>
        {yes}
      </Button>
    </div>
  )
}

function AgentField(props: { agent: string; onChange: (agent: string) => void }) {
  return (
    <AgentSelect
      label="Acts as"
      description="Runs under the agent’s policy and approvals. Without an agent, under yours."
      none="Yourself"
      {...props}
    />
  )
}

function EditorForm({ schedule, tool: given, onClose }: ScheduleEditorProps) {
  const [draft, setDraft] = useState(() => toDraft(schedule, given))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const input = useRef<ToolInputState>(null)
  const save = useSave(schedule, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (input.current === null || !input.current.check()) return
    save.mutate(toRequest(draft, input.current.value), {
      onError(error) {
        const { code, issues } = toProblem(error)
        if (code === 'invalid_input') input.current?.setServerIssues(issues)
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <NameFields draft={draft} onChange={change} />
        <ToolSelect tool={draft.tool} onChange={(tool) => change({ tool })} />
        {schedule === undefined && (
          <AgentField agent={draft.agent} onChange={(agent) => change({ agent })} />
        )}
        {draft.tool !== '' && (
          <WorkFields
            key={draft.tool}
            tool={draft.tool}
            initial={schedule?.tool === draft.tool ? schedule.input : undefined}
            ref={input}
          />
        )}
        <WhenFields
          draft={draft.when}
          onChange={(part) => change({ when: { ...draft.when, ...part } })}
        />
        <RunFields draft={draft} onChange={change} />
        {save.isError && <SaveProblem problem={toProblem(save.error)} />}
        <EditorButtons
          yes={schedule === undefined ? 'Create schedule' : 'Save changes'}
          isSaving={save.isPending}
          isReady={draft.tool !== '' && draft.name.trim() !== ''}
          onClose={onClose}
        />
      </Stack>
    </form>
  )
}

interface FieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

function NameFields({ draft: { name, note }, onChange }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        description="Shown in the list"
        value={name}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
        maxLength={100}
        required
        data-autofocus
      />
      <TextInput
        label="Note"
        description="Why it exists, or what to know about it"
        value={note}
        onChange={({ currentTarget: { value } }) => onChange({ note: value })}
        maxLength={200}
      />
    </>
  )
}

function RunFields({ draft: { overlap, retries }, onChange }: FieldsProps) {
  return (
    <>
      <Switch
        label="Run even if the previous run is still running"
        description="Otherwise the new run is skipped. A run that waits for approval counts as running."
        checked={overlap === 'allow'}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ overlap: checked ? 'allow' : 'skip' })
        }
      />
      <NumberInput
        label="Retries"
        description="With increasing delay. The schedule is disabled after five consecutive failures."
        value={retries}
        onChange={(value) => onChange({ retries: Number(value) || 0 })}
        min={0}
        max={10}
        allowDecimal={false}
        maw={200}
      />
    </>
  )
}

function SaveProblem({ problem }: { problem: ApiProblem }) {
  if (problem.code !== 'invalid_input') return <Refused error={problem} />
  return (
    <Caution tone="deny" role="alert" title={problem.message}>
      Fix the problems shown in the fields above.
    </Caution>
  )
}

type Request = Api<'ScheduleRequest'>

function useSave(schedule: Schedule | undefined, onDone: (saved: Schedule) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (request: Request) =>
      schedule === undefined
        ? read(api.POST('/api/v1/schedules', { body: request }))
        : read(
            api.PATCH('/api/v1/schedules/{id}', {
              params: { path: { id: schedule.id } },
              body: toChange(schedule, request),
            }),
          ),
    async onSuccess(saved) {
      notifySuccess(schedule === undefined ? `${saved.name} scheduled` : `${saved.name} saved`)
      onDone(saved)
      await queryClient.invalidateQueries({ queryKey: ['schedules'] })
    },
  })
}

/** Only the fields that differ: changing the tool or the input makes you the schedule's owner. */
function toChange(before: Schedule, request: Request): Api<'ScheduleChange'> {
  const { name, note = null, tool, input, overlap, retries } = before
  const seen = {
    name,
    note,
    tool,
    input,
    overlap,
    retries,
    when: toWhenRequest(toWhenDraft(before.when)),
  }
  const differs = ([key, value]: [string, unknown]) =>
    key in seen && JSON.stringify(value) !== JSON.stringify(seen[key as keyof typeof seen])
  // A note that was emptied is removed.
  return Object.fromEntries(Object.entries({ note: null, ...request }).filter(differs))
}

interface WorkFieldsProps {
  tool: string
  /** The initial input, if the tool is the same. */
  initial: unknown
  ref: Ref<ToolInputState>
}

function WorkFields({ tool: name, initial, ref }: WorkFieldsProps) {
  const query = useQuery({
    queryKey: ['tool', name],
    queryFn: () => read(api.GET('/api/v1/tools/{name}', { params: { path: { name } } })),
  })
  return (
    <QueryView query={query}>
      {(tool) => <WorkForm tool={tool} initial={initial} ref={ref} />}
    </QueryView>
  )
}

interface WorkFormProps {
  tool: Api<'ToolDetail'>
  /** The initial input, if the tool is the same. */
  initial: unknown
  ref: Ref<ToolInputState>
}

function WorkForm({ tool, initial, ref }: WorkFormProps) {
  const state = useToolInput({
    tool,
    keepDraft: false,
    ...(initial !== undefined && { initial: initial as JsonValue }),
  })
  useImperativeHandle(ref, () => state)
  return <ToolInput tool={tool} state={state} />
}
