import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { createEventDoor } from './create-event-door.ts'
import { eventOperations } from './operations.ts'

/** Reading and following the event log. The store writes it. */
export const eventsFeature: Feature = {
  name: 'events',
  open({ store: { calls, events }, feed }) {
    const parts = { calls, events, feed }
    return { operations: openOperations(eventOperations, parts), door: createEventDoor(parts) }
  },
}
