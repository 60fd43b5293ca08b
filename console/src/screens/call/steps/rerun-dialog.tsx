import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Refused } from '../../../ui/refused.tsx'
import { EffectTag } from '../../../ui/status-tags.tsx'
import styles from './steps-panel.module.css'
import { useRerunPlan } from './use-steps.ts'

interface RerunDialogProps {
  call: Api<'CallRecord'>
  /** The step to start from. */
  from: string
  onClose: () => void
}

type Step = Api<'CallStep'>

/** Asks before a composition runs again from a step: lists the steps that run, with their effects. */
export function RerunDialog({ call, from, onClose }: RerunDialogProps) {
  const navigate = useNavigate()
  const { data, error } = useRerunPlan(call.callId, from)
  const { mutate, ...task } = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/calls/{id}/rerun', {
          params: { path: { id: call.callId }, header: { Prefer: 'respond-async' } },
          body: { from },
        }),
      ),
    onSuccess({ callId }) {
      onClose()
      void navigate({ to: '/calls/$id', params: { id: callId } })
    },
  })
  const again = data?.items.filter(({ runsAgain }) => runsAgain === true) ?? []
  const isDangerous = again.some(({ effect }) => effect === 'destructive')
  return (
    <FormDialog
      title={`Run again from ${from}?`}
      confirmLabel="Run again"
      isReady={data !== undefined}
      isDangerous={isDangerous}
      task={{ ...task, mutate: () => mutate() }}
      onClose={onClose}
    >
      {data === undefined && error === null && <Loading rows={3} />}
      {error !== null && <Refused error={error} />}
      {data !== undefined && <Plan again={again} steps={data.items} />}
    </FormDialog>
  )
}

function Plan({ again, steps }: { again: readonly Step[]; steps: readonly Step[] }) {
  const kept = steps.filter(
    ({ runsAgain, state }) => runsAgain === false && state !== 'skipped' && state !== 'unreached',
  )
  return (
    <>
      <div>
        <p className={styles.lead}>
          {again.length === 1 ? 'This step runs again' : 'These steps run again'}, with the same
          input:
        </p>
        <ul className={styles.plan}>
          {again.map(({ id, tool, effect }) => (
            <li key={id}>
              <b>{id}</b>
              {tool !== undefined && <code>{tool}</code>}
              {effect !== undefined && <EffectTag effect={effect} />}
            </li>
          ))}
        </ul>
      </div>
      <p className={styles.lead}>
        {kept.length === 0
          ? 'No step keeps its result.'
          : `Kept as they are: ${kept.map(({ id }) => id).join(', ')}.`}
      </p>
    </>
  )
}
