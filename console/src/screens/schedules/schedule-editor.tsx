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
import { ToolField } from './tool-fields.tsx'
import { WhenFields } from './when-fields.tsx'
import styles from './schedules.module.css'

interface ScheduleEditorProps {
  /** The one to change; without it, a new one is made. */
  schedule: Schedule | undefined
  /** For this tool, where one was on the way here. */
  tool: string | undefined
  onClose: (saved?: Schedule) => void
}

/** Makes or changes a schedule. */
export function ScheduleEditor({ schedule, tool: given, onClose }: ScheduleEditorProps) {
  return (
    <GuardedDrawer
      opened
      onClose={() => onClose()}
      position="right"
      size="xl"
      title={schedule === undefined ? 'New schedule' : `Change ${schedule.name}`}
    >
      <EditorForm schedule={schedule} tool={given} onClose={onClose} />
    </GuardedDrawer>
  )
}

interface Draft {
  name: string
  tool: string
  agent: string
  when: WhenDraft
  overlap: Schedule['overlap']
  retries: number
}

function toDraft(schedule: Schedule | undefined, tool: string | undefined): Draft {
  return {
    name: schedule?.name ?? '',
    tool: schedule?.tool ?? tool ?? '',
    agent: '',
    when: toWhenDraft(schedule?.when),
    overlap: schedule?.overlap ?? 'skip',
    retries: schedule?.retries ?? 3,
  }
}

function EditorForm({ schedule, tool: given, onClose }: ScheduleEditorProps) {
  const [draft, setDraft] = useState(() => toDraft(schedule, given))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const input = useRef<ToolInputState>(null)
  const save = useSave(schedule, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (input.current === null || !input.current.check()) return
    const { agent, when, ...rest } = draft
    const request = { ...rest, input: input.current.value, when: toWhenRequest(when) }
    save.mutate(agent === '' ? request : { ...request, agent }, {
      onError(error) {
        const { code, issues } = toProblem(error)
        if (code === 'invalid_input') input.current?.setServerIssues(issues)
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          description="Shown in the list"
          value={draft.name}
          onChange={({ currentTarget: { value } }) => change({ name: value })}
          maxLength={100}
          required
          data-autofocus
        />
        <ToolField tool={draft.tool} onChange={(tool) => change({ tool })} />
        {schedule === undefined && (
          <AgentSelect
            label="Acts as"
            description="Runs under the agent’s policy and approvals, otherwise under yours."
            none="Yourself"
            agent={draft.agent}
            onChange={(agent) => change({ agent })}
          />
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
        <div className={styles.foot}>
          <Button variant="default" onClick={() => onClose()}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={draft.tool === '' || draft.name.trim() === ''}
          >
            {schedule === undefined ? 'Create schedule' : 'Save changes'}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

interface RunFieldsProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

function RunFields({ draft: { overlap, retries }, onChange }: RunFieldsProps) {
  return (
    <>
      <Switch
        label="Run even if the previous run is still running"
        description="Otherwise that run is skipped. A run waiting for approval counts as running."
        checked={overlap === 'allow'}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ overlap: checked ? 'allow' : 'skip' })
        }
      />
      <NumberInput
        label="Retries"
        description="With growing delay. Five failed runs in a row turn the schedule off."
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
      The problems are shown at the input fields.
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

/** Only what differs: whoever changes the tool or the input is who it runs for from then on. */
function toChange(before: Schedule, request: Request): Api<'ScheduleChange'> {
  const { name, tool, input, overlap, retries } = before
  const seen = {
    name,
    tool,
    input,
    overlap,
    retries,
    when: toWhenRequest(toWhenDraft(before.when)),
  }
  const differs = ([key, value]: [string, unknown]) =>
    key in seen && JSON.stringify(value) !== JSON.stringify(seen[key as keyof typeof seen])
  return Object.fromEntries(Object.entries(request).filter(differs))
}

interface WorkFieldsProps {
  tool: string
  /** What it began with, where it is the same tool. */
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
  /** What it began with, where it is the same tool. */
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
