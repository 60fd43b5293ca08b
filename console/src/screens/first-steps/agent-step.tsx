import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { usePollMs } from '../../live/use-live.ts'
import { notifyFailure } from '../../ui/notify.ts'
import styles from './first-steps.module.css'

const agent = 'analyst'
const tool = 'demo.delete-notes'

/** Tells the demo agent to delete two notes, which needs approval. The notes are shown first. */
export function AgentStep({ onNavigate }: { onNavigate: () => void }) {
  const start = useMutation({ mutationFn: askAgent, onError: notifyFailure })
  const refetchInterval = usePollMs()
  const query = { status: 'pending', tool, limit: 1 } as const
  const { data } = useQuery({
    queryKey: ['approvals', 'first-steps'],
    queryFn: () => read(api.GET('/api/v1/approvals', { params: { query } })),
    refetchInterval,
  })
  const waiting = data?.items[0]
  if (waiting === undefined) {
    return (
      <>
        The demo agent will try to delete these two notes, and needs your approval:
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>“{note}”</li>
          ))}
        </ul>
        <div>
          <Button size="compact-xs" mt={6} loading={start.isPending} onClick={() => start.mutate()}>
            Let the agent try
          </Button>
        </div>
      </>
    )
  }
  return (
    <>
      The agent is waiting. Edit the request, take out “Opening hours”, and approve: only the other
      note is deleted.{' '}
      <Link to="/approvals" search={{ id: waiting.id }} onClick={onNavigate}>
        Review request
      </Link>
    </>
  )
}

const notes = ['The old price list. It can go.', 'Opening hours: eight to five. Keep this one.']

/** The notes are real, and are really deleted. */
async function askAgent() {
  const ids: string[] = []
  for (const note of notes) ids.push(await addNote(note))
  const prompt = `run ${tool} with ${JSON.stringify({ ids })}`
  const path = { slug: agent }
  const run = await read(
    api.POST('/api/v1/agents/{slug}/runs', { params: { path }, body: { prompt } }),
  )
  // If the server stops in the meantime, it reports that itself.
  void describeOutcome(run.id).catch(() => undefined)
}

const waitSeconds = 50

/** Notifies when the agent has continued, on whichever screen the person is. */
async function describeOutcome(id: string): Promise<void> {
  const params = { path: { id }, query: { wait: waitSeconds } }
  const run = await read(api.GET('/api/v1/runs/{id}', { params }))
  if (['queued', 'running', 'waiting'].includes(run.status)) return describeOutcome(id)
  const isDone = run.status === 'completed'
  notifications.show({
    title: isDone ? 'The agent continued' : 'The agent stopped',
    message: isDone
      ? 'It ran the approved call. Its answer is in the conversation.'
      : (run.error?.message ?? 'The run ended without an answer.'),
    autoClose: 15_000,
    closeButtonProps: { 'aria-label': 'Close' },
    withBorder: true,
  })
}

async function addNote(text: string): Promise<string> {
  const path = { name: 'demo.add-note' }
  const body = { input: { text, tags: ['first steps'] } }
  const call = await read(api.POST('/api/v1/tools/{name}/calls', { params: { path }, body }))
  if (typeof call === 'string' || call.status !== 'completed') {
    throw new Error('The note could not be added')
  }
  const { note } = call.output as { note: { id: string } }
  return note.id
}
