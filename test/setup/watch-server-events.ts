import type { NewEvent } from '../../src/core/events/event.ts'
import { watchWrites } from '../../src/store/log/events/event-chunks.ts'
import { misfitMark } from './misfit-mark.ts'

// Preloaded into a server of its own process (`--import`). An event that is not as its feature describes
// it is printed, and the test that started the server fails when it ends it (see `server-process.ts`).

watchWrites((event) => void check(event))

async function check(event: NewEvent): Promise<void> {
  // Loaded with the first event, so that the start of a server loads no more than usual.
  const { misfitOf } = await import('./event-misfit.ts')
  const misfit = misfitOf(event)
  if (misfit !== undefined) process.stderr.write(`${misfitMark}${misfit}\n`)
}
