import { Button, Checkbox, Group } from '@mantine/core'
import { useState } from 'react'
import { FilterInput } from '../../ui/list/filter-input.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { EffectTag } from '../../ui/status-tags.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { ApiPreview } from './api-queries.ts'
import styles from './apis.module.css'

type Operation = ApiPreview['operations'][number]

interface PickListProps {
  operations: readonly Operation[]
  chosen: ReadonlySet<string>
  onChange: (chosen: Set<string>) => void
}

/** The operations of a document, to choose those that become tools. */
export function PickList({ operations, chosen, onChange }: PickListProps) {
  const [q, setQ] = useState('')
  const words = q.trim().toLowerCase().split(/\s+/)
  const shown = operations.filter((one) => words.every((word) => textOf(one).includes(word)))
  const setAll = (isChosen: boolean) => {
    const next = new Set(chosen)
    for (const { name } of shown) {
      if (isChosen) next.add(name)
      else next.delete(name)
    }
    onChange(next)
  }
  return (
    <section aria-label="Operations">
      <FilterInput mb="xs" label="Filter operations" value={q} onChange={setQ} />
      <div className={styles.picked}>
        <p aria-live="polite">
          {chosen.size} of {operations.length} chosen
        </p>
        <Group gap="xs">
          <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
            Choose {q.trim() === '' ? 'all' : `these ${shown.length}`}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => setAll(false)}>
            Choose none{q.trim() === '' ? '' : ' of these'}
          </Button>
        </Group>
      </div>
      <ShowMore key={q} items={shown} step={100}>
        {(some) => (
          <ul className={styles.list} tabIndex={0} aria-label="Operations of the document">
            {some.map((operation) => (
              <li key={operation.name}>
                <OperationChoice
                  operation={operation}
                  isChosen={chosen.has(operation.name)}
                  onChange={(isChosen) => onChange(toggled(chosen, operation.name, isChosen))}
                />
              </li>
            ))}
            {some.length === 0 && <li>No operation matches.</li>}
          </ul>
        )}
      </ShowMore>
    </section>
  )
}

interface OperationChoiceProps {
  operation: Operation
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}

function OperationChoice({ operation, isChosen, onChange }: OperationChoiceProps) {
  const { name, title, method, path, effect, fault, findings } = operation
  const problem = fault ?? findings[0]?.message
  return (
    <>
      <Checkbox
        checked={isChosen}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        label={
          <span className={styles.operation}>
            <code>{name}</code>
            <EffectTag effect={effect} />
            {fault !== undefined && <Tag tone="deny">Will be quarantined</Tag>}
          </span>
        }
        description={title === name ? `${method} ${path}` : `${title} · ${method} ${path}`}
      />
      {problem !== undefined && <p className={styles.problem}>{problem}</p>}
    </>
  )
}

function toggled(chosen: ReadonlySet<string>, name: string, isChosen: boolean): Set<string> {
  const next = new Set(chosen)
  if (isChosen) next.add(name)
  else next.delete(name)
  return next
}

function textOf({ name, title, method, path, tags }: Operation): string {
  return [name, title, method, path, ...tags].join(' ').toLowerCase()
}
