import { Button, Group, NumberInput, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import { useCan } from '../../../api/me.ts'
import type { ToolInputState } from '../../../form/tool-input.tsx'
import { formatDuration } from '../../../ui/format/format-duration.ts'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Refused } from '../../../ui/refused.tsx'
import { GuardedModal } from '../../../ui/dialog/guarded-dialog.tsx'
import type { Agent } from '../parts/agent-queries.ts'
import { OptionFields } from './option-fields.tsx'
import { inherited, toSettingsDraft } from './settings-draft.ts'
import type { SettingsDraft } from './settings-draft.ts'
import { useSaveSettings } from './use-save-settings.ts'
import styles from '../agent.module.css'

interface ToolSettingsDialogProps {
  agent: Agent
  tool: string
  title: string
  onClose: () => void
}

/** An agent's settings for one tool. Anything not set is inherited. */
export function ToolSettingsDialog({ agent, tool, title, onClose }: ToolSettingsDialogProps) {
  const query = useQuery({
    queryKey: ['tool', tool],
    queryFn: () => read(api.GET('/api/v1/tools/{name}', { params: { path: { name: tool } } })),
  })
  return (
    <GuardedModal
      opened
      onClose={onClose}
      size="lg"
      title={`${title} for ${agent.name ?? agent.slug}`}
    >
      <QueryView query={query}>
        {(detail) => <SettingsForm agent={agent} tool={detail} onClose={onClose} />}
      </QueryView>
    </GuardedModal>
  )
}

interface SettingsFormProps {
  agent: Agent
  tool: Api<'ToolDetail'>
  onClose: () => void
}

function DeclaredNotice({ agent, tool }: { agent: string; tool: string }) {
  return (
    <Notice title="This agent is defined in the configuration">
      Change{' '}
      <code>
        agents[{agent}].settings[&quot;{tool}&quot;]
      </code>{' '}
      in <code>toolcrib.config.ts</code> and restart the server.
    </Notice>
  )
}

function SettingsForm({ agent, tool, onClose }: SettingsFormProps) {
  // The version read when the dialog opened: a change made since is refused, not overwritten.
  const [base] = useState(agent)
  const [draft, setDraft] = useState(() => toSettingsDraft(agent.settings, tool))
  const change = (part: Partial<SettingsDraft>) => setDraft((before) => ({ ...before, ...part }))
  const options = useRef<ToolInputState>(null)
  const mayManage = useCan('agents.manage')
  const isReadOnly = !mayManage || agent.isDeclared
  const save = useSaveSettings(base, tool, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (options.current !== null && !options.current.check()) return
    const typed = options.current?.value as Record<string, JsonValue> | undefined
    save.mutate({ ...draft, ...(draft.options !== undefined && { options: typed ?? {} }) })
  }
  const isInherited = JSON.stringify(draft) === JSON.stringify(inherited)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {agent.isDeclared && <DeclaredNotice agent={agent.slug} tool={tool.name} />}
        <p className={styles.lead}>
          Anything not set here is inherited from the tool and the agent’s policy.
        </p>
        <RunFields tool={tool} draft={draft} isReadOnly={isReadOnly} onChange={change} />
        <OptionFields
          tool={tool}
          options={draft.options}
          isReadOnly={isReadOnly}
          onChange={(own) => change({ options: own })}
          ref={options}
        />
        <p className={styles.lead}>
          To limit how often it can be called, set a limit under <Link to="/usage">Usage</Link>.
        </p>
        {save.isError && <Refused error={save.error} />}
        {!isReadOnly && (
          <Group justify="space-between" gap="xs">
            <Button variant="subtle" disabled={isInherited} onClick={() => setDraft(inherited)}>
              Reset to default
            </Button>
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={save.isPending}>
                Save
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </form>
  )
}

interface RunFieldsProps {
  tool: Api<'ToolDetail'>
  draft: SettingsDraft
  isReadOnly: boolean
  onChange: (part: Partial<SettingsDraft>) => void
}

function RunFields({ tool, draft, isReadOnly, onChange }: RunFieldsProps) {
  const { execution, timeoutMs } = tool
  return (
    <>
      <Choice
        label="Availability"
        value={draft.enabled}
        isReadOnly={isReadOnly}
        data={[
          { value: '', label: 'Inherited from grants and policy' },
          { value: 'off', label: 'Off: hidden from this agent' },
        ]}
        onChange={(enabled) => onChange({ enabled })}
      />
      <Choice
        label="Approval"
        value={draft.approval}
        isReadOnly={isReadOnly}
        data={[
          { value: '', label: 'Inherited from hooks, autonomy and the tool' },
          { value: 'always', label: 'Require approval for every call' },
        ]}
        onChange={(approval) => onChange({ approval })}
      />
      <Choice
        label="Execution"
        {...(execution === 'external' && {
          description: 'An external worker completes it, so this can’t be changed.',
        })}
        value={draft.execution}
        isReadOnly={isReadOnly || execution === 'external'}
        data={[
          { value: '', label: `Inherited: ${executionWords[execution]}` },
          { value: 'inline', label: 'Inline: the caller waits for the result' },
          { value: 'background', label: 'Background: the caller gets an id at once' },
        ]}
        onChange={(chosen) => onChange({ execution: chosen })}
      />
      <NumberInput
        label="Timeout in seconds"
        description={`Leave empty to inherit ${formatDuration(timeoutMs)} from the tool.`}
        placeholder={String(timeoutMs / 1000)}
        value={draft.timeout}
        onChange={(value) => onChange({ timeout: value === '' ? '' : Number(value) })}
        min={0.001}
        max={86_400}
        decimalScale={3}
        readOnly={isReadOnly}
        maw={260}
      />
    </>
  )
}

const executionWords = {
  inline: 'inline (set by the tool)',
  background: 'background (set by the tool)',
  external: 'completed by an external worker',
}

interface ChoiceProps<Value extends string> {
  label: string
  description?: string
  value: Value
  isReadOnly: boolean
  data: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, description, value, isReadOnly, data, onChange } = props
  return (
    <Select
      label={label}
      description={description}
      disabled={isReadOnly}
      allowDeselect={false}
      data={[...data]}
      value={value}
      onChange={(chosen) => {
        const found = data.find((one) => one.value === chosen)
        if (found !== undefined) onChange(found.value)
      }}
    />
  )
}
