import { type Load, type LoadContext } from './load.ts'

const path = '/api/v1/schedules'
const mostSchedules = 8

/**
 * Tools that are called every second, on whichever node comes first. A node whose clock runs ahead
 * fires a schedule ahead of its time, after which nobody has anything to do with it for a while: so
 * there are several, begun one after the other.
 */
export const scheduleLoad: Load = {
  name: 'schedule',
  weight: 0,
  needs: [path, `${path}/{id}`],
  async turn() {},
  async attend(context) {
    const made = await listSchedules(context)
    if (made === undefined || made.length >= mostSchedules) return
    if (made.length > 0 && !context.random.chance(0.05)) return
    const input = { operation: 'tick', beforeMs: 0, afterMs: context.random.between(0, 1500) }
    const when = { every: '1s' }
    const json = { name: context.nextOperation(), tool: 'chaos.put', input, when, retries: 0 }
    await context.client.send({ path, json })
  },
  async end(context) {
    for (;;) {
      const active = (await listSchedules(context))?.filter(({ state }) => state === 'active')
      if (active?.length === 0) return
      for (const { id } of active ?? []) {
        await context.client.send({
          path: `${path}/${id}`,
          method: 'PATCH',
          json: { paused: true },
        })
      }
    }
  },
}

async function listSchedules({
  client,
}: LoadContext): Promise<{ id: string; state: string }[] | undefined> {
  const reply = await client.send({ path: `${path}?limit=500` })
  if (reply.http !== 200) return undefined
  return (reply.body as { items: { id: string; state: string }[] }).items
}
