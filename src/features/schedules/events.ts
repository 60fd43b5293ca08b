import { defineEvents } from '../../core/events/define-events.ts'

export const scheduleEvents = defineEvents(
  { noun: 'Schedule', group: 'schedules', stale: ['schedules'] },
  {
    'schedule.created': { meaning: 'A schedule was made: what it calls and when' },
    'schedule.changed': { meaning: 'A schedule was changed, paused or taken up again' },
    'schedule.deleted': { meaning: 'A schedule was deleted with its history' },
    'schedule.fired': {
      meaning: 'The time of a schedule came, or somebody asked for a run; or it was left out',
    },
    'schedule.disabled': { meaning: 'A schedule was switched off, with the reason' },
  },
)
