import { ActionIcon } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useMe } from '../../api/me.ts'
import { useLiveEvents } from '../../live/use-live.ts'
import { AgentStep } from './agent-step.tsx'
import { exampleTool } from './find-home.ts'
import { firstSteps, stepsFor, useFirstSteps } from './first-steps-store.ts'
import type { StepName } from './first-steps-store.ts'
import { NextSteps } from './next-steps.tsx'
import styles from './first-steps.module.css'

/** Things to try in the real product; each is ticked off automatically. */
export function FirstStepsCard({ onNavigate }: { onNavigate: () => void }) {
  const { done } = useFirstSteps()
  const { permissions } = useMe()
  useNotice()
  const steps = stepsFor(permissions)
  const doneHere = steps.filter((name) => done.includes(name)).length
  const current = steps.find((name) => !done.includes(name))
  return (
    <section className={styles.card} aria-labelledby="first-steps">
      <div className={styles.head}>
        <h2 id="first-steps">First steps</h2>
        <output className={styles.count}>
          {doneHere} of {steps.length}
        </output>
        <ActionIcon size={24} aria-label="Dismiss first steps" onClick={firstSteps.dismiss}>
          <IconX size={14} />
        </ActionIcon>
      </div>
      <ol className={styles.steps}>
        {steps.map((name) => (
          <li key={name} className={styles.step} data-done={done.includes(name) || undefined}>
            <span className={styles.mark} aria-hidden="true">
              {done.includes(name) && <IconCheck size={11} />}
            </span>
            <div>
              <span>{titles[name]}</span>
              {done.includes(name) && <span className="visually-hidden"> (done)</span>}
              {name === current && <div className={styles.how}>{toHow(name, onNavigate)}</div>}
            </div>
          </li>
        ))}
      </ol>
      {current === undefined && <NextSteps permissions={permissions} onNavigate={onNavigate} />}
    </section>
  )
}

const titles: Record<StepName, string> = {
  run: 'Run a tool',
  record: 'See it in the call log',
  approve: 'Approve an agent’s request',
  edit: 'Change a tool',
}

function toHow(step: StepName, onNavigate: () => void): ReactNode {
  switch (step) {
    case 'run':
      return (
        <>
          The form has sample input. Press Run.{' '}
          <Link
            to="/tools/$name"
            params={{ name: exampleTool }}
            search={{ example: '0' }}
            onClick={onNavigate}
          >
            Open example
          </Link>
        </>
      )
    case 'record':
      return (
        <>
          Every call is recorded, with its input, output and caller.{' '}
          <Link to="/calls" onClick={onNavigate}>
            Open calls
          </Link>
        </>
      )
    case 'approve':
      return <AgentStep onNavigate={onNavigate} />
    case 'edit':
      return (
        <>
          Open <code>examples/crib/tools/roi.tool.ts</code>, change a description and save. The{' '}
          <Link to="/tools/$name" params={{ name: exampleTool }} onClick={onNavigate}>
            form
          </Link>{' '}
          updates at once.
        </>
      )
  }
}

/** A step counts wherever it was done: here, on the command line or in an editor. */
function useNotice(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    if (path.startsWith('/calls')) firstSteps.mark('record')
  }, [path])
  useLiveEvents(({ type }) => {
    if (type === 'approval.granted') firstSteps.mark('approve')
    if (type === 'tool.changed') firstSteps.mark('edit')
  })
}
