import { ActionIcon } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId } from 'react'
import { RowButtons } from '../../../ui/list/row-buttons.tsx'
import { textOf } from './spec-draft.ts'
import type { Draft } from './spec-draft.ts'
import { StepDetails } from './step-details.tsx'
import { beforeOf, describeStep } from './steps-draft.ts'
import styles from './spec.module.css'

/** The messages of each step, by its place in the list. */
export type StepFindings = Readonly<Record<number, readonly string[]>>

interface StepRowProps {
  steps: readonly Draft[]
  index: number
  lane: number
  lanes: number
  findings: readonly string[]
  isOpen: boolean
  onToggle(): void
  onRename(id: string): void
  onChange(step: Draft): void
  onMove(by: -1 | 1): void
  onRemove(): void
}

/** One step: what it calls and after which, and everything about it when it is opened. */
export function StepRow(props: StepRowProps) {
  const { steps, index, findings, isOpen, onToggle, onRename, onChange } = props
  const id = useId()
  const step = steps[index] ?? {}
  const name = textOf(step['id']) || `Step ${index + 1}`
  return (
    <li className={styles.step}>
      <div className={styles.stepHead}>
        <ActionIcon
          aria-label={`Details of ${name}`}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={onToggle}
        >
          <IconChevronRight
            size={16}
            style={isOpen ? { transform: 'rotate(90deg)' } : {}}
            aria-hidden="true"
          />
        </ActionIcon>
        <Lanes own={props.lane} count={props.lanes} />
        <StepWords steps={steps} index={index} />
        <RowButtons
          name={name}
          index={index}
          count={steps.length}
          keepsLast
          onMove={props.onMove}
          onRemove={props.onRemove}
        />
      </div>
      {findings.map((message) => (
        <p key={message} className={styles.finding} role="alert">
          {message}
        </p>
      ))}
      <div id={id} hidden={!isOpen} className={styles.stepBody}>
        {isOpen && (
          <StepDetails
            step={step}
            others={steps.filter((_, at) => at !== index).map((other) => textOf(other['id']))}
            onRename={onRename}
            onChange={onChange}
          />
        )}
      </div>
    </li>
  )
}

function StepWords({ steps, index }: Pick<StepRowProps, 'steps' | 'index'>) {
  const step = steps[index] ?? {}
  const waits = beforeOf(steps, index)
  const tool = textOf(step['tool'])
  const facts = [
    tool === '' ? 'no tool yet' : tool,
    waits.length === 0 ? 'starts at once' : `after ${waits.join(', ')}`,
    describeStep(step),
  ]
  return (
    <div className={styles.stepWords}>
      <strong>{textOf(step['id'])}</strong>
      <p>{facts.filter((fact) => fact !== '').join(' · ')}</p>
    </div>
  )
}

function Lanes({ own, count }: { own: number; count: number }) {
  return (
    <span className={styles.lanes} aria-hidden="true">
      {Array.from({ length: count }, (_, lane) => (
        <span key={lane} className={styles.lane} data-own={lane === own || undefined} />
      ))}
    </span>
  )
}
