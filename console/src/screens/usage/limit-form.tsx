import { Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { notifySuccess } from '../../ui/notify.ts'
import { GuardedModal } from '../../ui/dialog/guarded-dialog.tsx'
import { PatternsInput } from '../agents/parts/patterns-input.tsx'
import { limitLabels, limitMeasures } from './limit-words.ts'
import type { LimitMeasure } from './limit-words.ts'
import styles from './usage.module.css'

const subjects = [
  { value: 'tenant', label: 'The whole tenant' },
  { value: 'agent', label: 'Each agent' },
  { value: 'key', label: 'Each API key' },
  { value: 'member', label: 'Each member' },
  { value: 'tool', label: 'Each tool' },
] as const

interface LimitFormProps {
  /** The limit to change; undefined to create one. */
  limit?: Api<'Limit'>
  onClose: () => void
}

/** Creates or changes a limit. */
export function LimitForm({ limit, onClose }: LimitFormProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(limit?.name ?? '')
  const [spec, setSpec] = useState<Api<'LimitSpec'>>(() => toSpec(limit))
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      read(api.PUT('/api/v1/limits/{name}', { params: { path: { name } }, body: spec })),
    onSuccess: () => {
      notifySuccess(`Limit ${name} saved`)
      void queryClient.invalidateQueries({ queryKey: ['limits'] })
      onClose()
    },
  })
  const hasNumber = limitMeasures.some((measure) => spec[measure] !== undefined)
  return (
    <GuardedModal
      opened
      onClose={onClose}
      title={limit === undefined ? 'New limit' : `Edit ${limit.name}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Shown in the error when the limit is reached"
            required
            disabled={limit !== undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <SpecFields spec={spec} onChange={setSpec} />
          {error !== null && <FormProblem error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={name === '' || !hasNumber}>
              Save limit
            </Button>
          </Group>
        </Stack>
      </form>
    </GuardedModal>
  )
}

interface SpecFieldsProps {
  spec: Api<'LimitSpec'>
  onChange: (spec: Api<'LimitSpec'>) => void
}

function SpecFields({ spec, onChange }: SpecFieldsProps) {
  return (
    <>
      <Select
        label="Counted per"
        data={[...subjects]}
        value={spec.of}
        allowDeselect={false}
        onChange={(of) => onChange({ ...spec, of: of ?? 'tenant' })}
      />
      {spec.of !== 'tenant' && (
        <TextInput
          label="Applies to"
          description="A name, an id or a pattern such as sup*. Leave empty for all."
          value={spec.match ?? ''}
          onChange={(event) => onChange(withMatch(spec, event.currentTarget.value))}
        />
      )}
      <PatternsInput
        label="Tools"
        description="Names or patterns, counted together. Leave empty for all tools."
        value={spec.tools ?? []}
        onChange={(tools) => onChange(withTools(spec, tools))}
      />
      {limitMeasures.map((measure) => (
        <NumberInput
          key={measure}
          label={limitLabels[measure]}
          placeholder="No limit"
          min={0}
          allowDecimal={measure.startsWith('cost')}
          thousandSeparator=","
          value={spec[measure] ?? ''}
          onChange={(value) => onChange(withNumber(spec, measure, value))}
        />
      ))}
    </>
  )
}

function FormProblem({ error }: { error: unknown }) {
  const { message, fix, issues } = toProblem(error)
  return (
    <div role="alert" className={styles.closed}>
      {message}
      {fix !== undefined && ` ${fix}`}
      {issues.map((issue) => (
        <div key={issue.pointer + issue.message}>
          <code>{issue.pointer}</code> {issue.message}
        </div>
      ))}
    </div>
  )
}

function toSpec(limit: Api<'Limit'> | undefined): Api<'LimitSpec'> {
  if (limit === undefined) return { of: 'tenant' }
  const { of, match, tools } = limit
  const numbers = Object.fromEntries(
    limitMeasures.flatMap((measure) =>
      limit[measure] === undefined ? [] : [[measure, limit[measure]]],
    ),
  )
  return {
    of,
    ...(match !== undefined && { match }),
    ...(tools !== undefined && { tools }),
    ...numbers,
  }
}

function withNumber(
  before: Api<'LimitSpec'>,
  measure: LimitMeasure,
  value: number | string,
): Api<'LimitSpec'> {
  const { [measure]: _old, ...spec } = before
  return typeof value === 'number' ? { ...spec, [measure]: value } : spec
}

function withMatch({ match: _old, ...spec }: Api<'LimitSpec'>, match: string): Api<'LimitSpec'> {
  return match === '' ? spec : { ...spec, match }
}

function withTools({ tools: _old, ...spec }: Api<'LimitSpec'>, tools: string[]): Api<'LimitSpec'> {
  return tools.length === 0 ? spec : { ...spec, tools }
}
