import type { ToolState } from '../../../core/tools/tool-listing.ts'
import type { Effect } from '../../../core/kernel/tool.ts'
import type { Format } from './screen.ts'

/** Colours of the effect of a tool. */
export const effectFormats = {
  read: 'green',
  write: 'yellow',
  destructive: 'red',
} as const satisfies Record<Effect, Format>

/** Colours of the state of a tool. */
export const stateFormats = {
  ready: 'green',
  misconfigured: 'yellow',
  quarantined: 'red',
} as const satisfies Record<ToolState, Format>
