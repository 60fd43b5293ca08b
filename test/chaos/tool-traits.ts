import type { ToolTraits } from './evidence.ts'

/** What the checker must know of the tools in `chaos-tools`, told here again: their record is on trial. */
export const toolTraits: Readonly<Record<string, ToolTraits>> = {
  'chaos.look': { isRepeatable: true, hasEffect: false },
  'chaos.write': { isRepeatable: false, hasEffect: true },
  'chaos.put': { isRepeatable: true, hasEffect: true },
  'chaos.chain': { isRepeatable: false, hasEffect: true },
  'chaos.careful': { isRepeatable: false, hasEffect: true, needsApproval: true },
  'chaos.job': { isRepeatable: false, hasEffect: true },
  'chaos.sync': { isRepeatable: true, hasEffect: true },
  'chaos.report': { isRepeatable: true, hasEffect: false, retriesOnTheSpot: true },
  'chaos.hand-over': { isRepeatable: false, hasEffect: true },
}
