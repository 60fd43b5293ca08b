import { afterEach } from 'vitest'
import { madeUp } from '../../src/store/contract/records.ts'
import { watchWrites } from '../../src/store/log/events/event-chunks.ts'
import { misfitOf } from './event-misfit.ts'

// A test fails if an event is written during it that is not as `features/<noun>/events.ts` describes it.

const misfits = new Set<string>()

watchWrites((event) => {
  const misfit = madeUp.has(event) ? undefined : misfitOf(event)
  if (misfit !== undefined) misfits.add(misfit)
})

afterEach(() => {
  const found = [...misfits]
  misfits.clear()
  if (found.length > 0) throw new Error(`Written otherwise than described:\n${found.join('\n')}`)
})
