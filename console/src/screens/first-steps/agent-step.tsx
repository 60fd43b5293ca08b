import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { usePollMs } from '../../live/use-live.ts'
import { sayFailed } from '../../ui/say.ts'

const agent = 'analyst'
const tool = 'demo.delete-notes'

/** Two notes are made, and the demo agent is told to delete them: that needs somebody's yes. */
export function AgentStep({ onNavigate }: { onNavigate: () => void }) {
  const start = useMutation({ mutationFn: askAgent, onError: sayFailed })
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
        The demo agent is told to delete two notes. It has to ask you first.
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
      It waits for you. Take one note out of the list and approve: the agent goes on with what you
      left.{' '}
      <Link to="/approvals" search={{ id: waiting.id }} onClick={onNavigate}>
        Review it
      </Link>
    </>
  )
}

/** The notes are real, and so is what becomes of them. */
async function askAgent() {
  const first = await addNote('The old price list. It can go.')
  const second = await addNote('Opening hours: eight to five. Keep this one.')
  const prompt = `run ${tool} with ${JSON.stringify({ ids: [first, second] })}`
  const path = { slug: agent }
  const run = await read(
    api.POST('/api/v1/agents/{slug}/runs', { params: { path }, body: { prompt } }),
  )
  // A server that goes away meanwhile has more to tell than this.
  void sayOutcome(run.id).catch(() => undefined)
}

const waitSeconds = 50

/** What the agent says once somebody has decided, wherever they are by then. */
async function sayOutcome(id: string): Promise<void> {
  const params = { path: { id }, query: { wait: waitSeconds } }
  const run = await read(api.GET('/api/v1/runs/{id}', { params }))
  if (['queued', 'running', 'waiting'].includes(run.status)) return sayOutcome(id)
  const words = run.output ?? run.error?.message ?? ''
  notifications.show({
    title: 'The agent went on',
    message: words.length > 240 ? `${words.slice(0, 240)}…` : words,
    autoClose: 15_000,
    withBorder: true,
  })
}

async function addNote(text: string): Promise<string> {
  const path = { name: 'demo.add-note' }
  const body = { input: { text, tags: ['first steps'] } }
  const call = await read(api.POST('/api/v1/tools/{name}/calls', { params: { path }, body }))
  if (typeof call === 'string' || call.status !== 'completed') {
    throw new Error('The note could not be made')
  }
  const { note } = call.output as { note: { id: string } }
  return note.id
}
