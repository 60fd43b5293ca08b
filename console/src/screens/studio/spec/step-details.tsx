import { MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ToolSelect } from '../../../ui/tool-select.tsx'
import { ConditionInput } from './condition-input.tsx'
import { usePaths } from './references.ts'
import { draftOf, textOf, withMember } from './spec-draft.ts'
import type { Draft } from './spec-draft.ts'
import { StepInput } from './step-input.tsx'
import styles from './spec.module.css'

interface StepDetailsProps {
  step: Draft
  /** The ids of the other steps. */
  others: readonly string[]
  onRename(id: string): void
  onChange(step: Draft): void
}

/** Everything about one step. */
export function StepDetails({ step, others, onRename, onChange }: StepDetailsProps) {
  const set = (key: string, value: Parameters<typeof withMember>[2]) =>
    onChange(withMember(step, key, value))
  return (
    <>
      <div className={styles.pairOf}>
        <StepId id={textOf(step['id'])} others={others} onRename={onRename} />
        <ToolSelect tool={textOf(step['tool'])} onChange={(tool) => onChange({ ...step, tool })} />
      </div>
      <StepInput step={step} others={others} onChange={(value) => set('input', value)} />
      <Order step={step} others={others} set={set} />
      <ConditionInput
        label="Only if"
        paths={usePaths(step, others)}
        value={step['when']}
        onChange={(value) => set('when', value)}
      />
      <TextInput
        label="For each"
        description="A reference to a list; {{item}} and {{index}} are then known"
        placeholder="{{steps.find.output.lines}}"
        value={textOf(step['each'])}
        onChange={({ currentTarget }) => set('each', currentTarget.value)}
      />
      <Failing step={step} set={set} />
    </>
  )
}

type Set = (key: string, value: Parameters<typeof withMember>[2]) => void

/** Taken over when it is a good id: every reference to the step changes with it. */
function StepId({
  id,
  others,
  onRename,
}: {
  id: string
  others: readonly string[]
  onRename(id: string): void
}) {
  const [typed, setTyped] = useState(id)
  const [known, setKnown] = useState(id)
  if (id !== known) {
    setKnown(id)
    setTyped(id)
  }
  const problem = findProblem(typed, others)
  const take = () => {
    if (problem === undefined && typed !== id) onRename(typed)
  }
  return (
    <TextInput
      label="Id"
      description="References to it change along"
      value={typed}
      error={problem}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  )
}

function findProblem(id: string, others: readonly string[]): string | undefined {
  if (!/^[A-Za-z][\w-]{0,63}$/.test(id)) return 'Use letters, digits, _ and -, with a letter first'
  return others.includes(id) ? 'Another step has this id' : undefined
}

function Order({ step, others, set }: { step: Draft; others: readonly string[]; set: Set }) {
  const { after } = step
  const mode = after === undefined ? 'list' : 'chosen'
  const chosen = Array.isArray(after) ? after.filter((id) => typeof id === 'string') : []
  return (
    <div className={styles.pairOf}>
      <Select
        label="Starts"
        data={[
          { value: 'list', label: 'After the step above' },
          { value: 'chosen', label: 'After chosen steps' },
        ]}
        value={mode}
        allowDeselect={false}
        onChange={(next) => set('after', next === 'list' ? undefined : [])}
      />
      {mode === 'chosen' && (
        <MultiSelect
          label="After"
          description="None: it starts at once"
          data={[...others]}
          value={chosen}
          onChange={(ids) => set('after', ids)}
        />
      )}
    </div>
  )
}

const errorRules = [
  { value: 'fail', label: 'The whole tool fails' },
  { value: 'continue', label: 'Continue without it' },
]

function Failing({ step, set }: { step: Draft; set: Set }) {
  const { times } = draftOf(step['retry'])
  const { onError, timeoutMs, atOnce } = step
  const isFixed = typeof onError === 'object' && onError !== null
  return (
    <div className={styles.pairOf}>
      <NumberInput
        label="Retries"
        min={0}
        max={10}
        allowDecimal={false}
        value={typeof times === 'number' ? times : 0}
        onChange={(value) =>
          set(
            'retry',
            typeof value === 'number' && value > 0
              ? { ...draftOf(step['retry']), times: value }
              : undefined,
          )
        }
      />
      <Select
        label="If it fails"
        data={isFixed ? [...errorRules, { value: 'output', label: 'A fixed output' }] : errorRules}
        value={isFixed ? 'output' : onError === 'continue' ? 'continue' : 'fail'}
        allowDeselect={false}
        onChange={(next) =>
          next !== 'output' && set('onError', next === 'continue' ? next : undefined)
        }
      />
      <NumberInput
        label="Time limit in ms"
        min={1}
        allowDecimal={false}
        value={typeof timeoutMs === 'number' ? timeoutMs : ''}
        onChange={(value) => set('timeoutMs', typeof value === 'number' ? value : undefined)}
      />
      {step['each'] !== undefined && (
        <NumberInput
          label="Items at once"
          min={1}
          max={32}
          allowDecimal={false}
          value={typeof atOnce === 'number' ? atOnce : 4}
          onChange={(value) => set('atOnce', typeof value === 'number' ? value : undefined)}
        />
      )}
    </div>
  )
}
