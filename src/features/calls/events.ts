import { defineEvents } from '../../core/events/define-events.ts'

export const callEvents = {
  ...defineEvents(
    { noun: 'Call', group: 'calls', stale: ['calls', 'call', 'usage'], inCall: true },
    {
      'call.requested': {
        meaning: 'Somebody asked for a call; its input and the decision about it',
      },
      'call.queued': { meaning: 'The call is stored and will run after its answer' },
      'call.started': { meaning: 'The tool begins to run; again for every retry' },
      'call.output': { meaning: 'Partial output or progress while it runs', stale: [] },
      'call.waiting': { meaning: 'The call waits for a person or for the outside' },
      'call.completed': { meaning: 'The call ended well; its output when small' },
      'call.failed': { meaning: 'The call ended with an error' },
      'call.denied': { meaning: 'The call was not allowed; the tool did not run' },
      'call.cancelled': {
        meaning: 'The call was cancelled',
        stale: ['calls', 'call', 'usage', 'approvals'],
      },
      'call.refused': {
        meaning: 'A tool was asked for that this caller does not see; explain knows why',
      },
    },
  ),
  ...defineEvents(
    { noun: 'Completion', group: 'calls', stale: [], inCall: true },
    {
      'completion.late': {
        meaning: 'A worker outside reported on a call that had settled without it',
      },
    },
  ),
  ...defineEvents(
    { noun: 'Group of calls', group: 'calls', stale: [], inCall: true },
    {
      'group.sealed': { meaning: 'No more calls can join the group' },
      'group.settled': { meaning: 'The group is sealed and all its calls have settled' },
      'group.continued': { meaning: 'What waited for the group has gone on' },
    },
  ),
}
