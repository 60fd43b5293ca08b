import { Fragment } from 'react'
import { draftOf, listOf, textOf } from '../spec/spec-draft.ts'
import type { Draft } from '../spec/spec-draft.ts'
import styles from './from.module.css'

interface StepsOfProps {
  document: Draft
  replayed: number | undefined
}

/** More are counted only. */
const maxShown = 12

/** The tools that a drafted composition calls, in order; for another draft its request. */
export function StepsOf({ document, replayed }: StepsOfProps) {
  const spec = draftOf(document['spec'])
  const steps = listOf(spec['steps']).map(draftOf)
  if (steps.length === 0) {
    return (
      <p className={styles.request}>
        <code>{`${textOf(spec['method'])} ${textOf(spec['url'])}`.trim()}</code>
      </p>
    )
  }
  const inputs = Object.keys(draftOf(draftOf(document['inputSchema'])['properties']))
  return (
    <div>
      <ol className={styles.steps} aria-label="Steps">
        {steps.slice(0, maxShown).map(({ id, tool, each }) => (
          <li key={textOf(id)}>
            <code>{textOf(tool)}</code>
            {each !== undefined && ' for each item'}
          </li>
        ))}
      </ol>
      {steps.length > maxShown && <p>and {steps.length - maxShown} more steps</p>}
      {replayed !== undefined && (
        <p className={styles.replayed}>
          {replayed === 1
            ? 'Replayed: its step is given the same input as on record.'
            : `Replayed: all ${replayed} calls are given the same input as on record.`}
        </p>
      )}
      {inputs.length > 0 && (
        <p className={styles.replayed}>
          Asks for{' '}
          {inputs.map((name, index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <code>{name}</code>
            </Fragment>
          ))}
        </p>
      )}
    </div>
  )
}
