import { Alert, Button, Drawer, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useImperativeHandle, useRef, useState } from 'react'
import type { FormEvent, Ref } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { useCan } from '../../api/me.ts'
import { toProblem } from '../../api/problem.ts'
import { ToolInput, useToolInput } from '../../form/tool-input.tsx'
import type { ToolInputState } from '../../form/tool-input.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { sayDone } from '../../ui/say.ts'
import type { Schedule } from './use-schedule-actions.ts'
import { toWhenDraft, toWhenRequest } from './when-draft.ts'
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
  const [tool, setTool] = useState(schedule?.tool ?? given ?? '')
  const [name, setName] = useState(schedule?.name ?? '')
  const [agent, setAgent] = useState('')
  const [when, setWhen] = useState(() => toWhenDraft(schedule?.when))
  const [mayOverlap, setMayOverlap] = useState(schedule?.overlap === 'allow')
  const [retries, setRetries] = useState(schedule?.retries ?? 3)
  const input = useRef<ToolInputState>(null)
  const save = useSave(schedule, onClose)
  const problem = save.isError ? toProblem(save.error) : undefined
  const isAtInput = problem?.code === 'invalid_input'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (input.current === null || !input.current.check()) return
    const overlap = mayOverlap ? ('allow' as const) : ('skip' as const)
    const work = { tool, input: input.current.value, ...(agent !== '' && { agent }) }
    save.mutate(
      { name: name.trim(), when: toWhenRequest(when), overlap, retries, ...work },
      {
        onError(error) {
          const { code, issues } = toProblem(error)
          if (code === 'invalid_input') input.current?.setServerIssues(issues)
        },
      },
    )
  }
  return (
    <Drawer
      opened
      onClose={() => onClose()}
      position="right"
      size="xl"
      title={schedule === undefined ? 'New schedule' : `Change ${schedule.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // A click beside it must not lose what was typed.
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            label="Name"
            description="How you will find it again"
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            error={problem?.issues.find(({ pointer }) => pointer === '/name')?.message}
            maxLength={100}
            required
            data-autofocus
          />
          <ToolField tool={tool} onChange={setTool} />
          {schedule === undefined && <AgentField agent={agent} onChange={setAgent} />}
          {tool !== '' && (
            <WorkFields
              key={tool}
              tool={tool}
              initial={schedule?.tool === tool ? schedule.input : undefined}
              ref={input}
            />
          )}
          <WhenFields draft={when} onChange={(change) => setWhen({ ...when, ...change })} />
          <Switch
            label="Run even while the last run is not finished"
            description="Otherwise that time is left out. A run that waits for a person is not finished."
            checked={mayOverlap}
            onChange={({ currentTarget: { checked } }) => setMayOverlap(checked)}
          />
          <NumberInput
            label="Tries after a failure"
            description="Ever later. Five failed runs in a row switch the schedule off."
            value={retries}
            onChange={(value) => setRetries(Number(value) || 0)}
            min={0}
            max={10}
            allowDecimal={false}
            maw={200}
          />
          {problem !== undefined && (
            <Alert color="red" role="alert" title={problem.message}>
              {isAtInput ? 'What is wrong stands at the fields of the input.' : problem.fix}
            </Alert>
          )}
          <div className={styles.foot}>
            <Button variant="default" onClick={() => onClose()}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={tool === '' || name === ''}>
              {schedule === undefined ? 'Create schedule' : 'Save changes'}
            </Button>
          </div>
        </Stack>
      </form>
    </Drawer>
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
      sayDone(schedule === undefined ? `${saved.name} is scheduled` : `${saved.name} is changed`)
      onDone(saved)
      await queryClient.invalidateQueries({ queryKey: ['schedules'] })
    },
  })
}

/** Only what differs: whoever changes the tool or the input is who it runs for from then on. */
function toChange(before: Schedule, { agent: _, ...request }: Request): Api<'ScheduleChange'> {
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
    JSON.stringify(value) !== JSON.stringify(seen[key as keyof typeof seen])
  return Object.fromEntries(Object.entries(request).filter(differs))
}

interface WorkFieldsProps {
  tool: string
  initial: Schedule['input'] | undefined
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
  initial: Schedule['input'] | undefined
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

function ToolField({ tool, onChange }: { tool: string; onChange: (tool: string) => void }) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search === tool ? '' : search.trim(), 150)
  const { data, isFetching } = useQuery({
    queryKey: ['tools', 'for schedules', asked],
    queryFn: () =>
      read(
        api.GET('/api/v1/tools', {
          params: { query: { limit: 50, ...(asked !== '' && { q: asked }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const found = (data?.items ?? []).map(({ name, title }) => ({
    value: name,
    label: title === name ? name : `${title} (${name})`,
  }))
  const isListed = tool === '' || found.some(({ value }) => value === tool)
  return (
    <Select
      label="Tool"
      placeholder="Search by name or purpose"
      data={isListed ? found : [{ value: tool, label: tool }, ...found]}
      value={tool === '' ? null : tool}
      onChange={(chosen) => onChange(chosen ?? '')}
      searchable
      onSearchChange={setSearch}
      // The server has searched already, in descriptions too.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No tool fits'}
      required
      allowDeselect={false}
    />
  )
}

function AgentField({ agent, onChange }: { agent: string; onChange: (agent: string) => void }) {
  const mayManage = useCan('agents.manage')
  const mayRead = useCan('policy.read')
  const { data } = useQuery({
    queryKey: ['agents', 'for schedules'],
    queryFn: () => read(api.GET('/api/v1/agents', { params: { query: { limit: 100 } } })),
    enabled: mayManage || mayRead,
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Select
      label="As"
      description="An agent's policy and approvals count; otherwise yours do."
      data={[
        { value: '', label: 'Yourself' },
        ...data.items.map(({ slug, name }) => ({ value: slug, label: `Agent ${name ?? slug}` })),
      ]}
      value={agent}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
    />
  )
}
