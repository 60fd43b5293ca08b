import type { PendingCall } from '../tool-run.ts'
import type { OpenRun, WiredCall } from './open-run.ts'

/**
 * The question for a person: the tool by its own name, however the model called it, and its input.
 */
export async function toAsked(
  open: Pick<OpenRun, 'meant'>,
  call: WiredCall,
  { stored }: PendingCall,
): Promise<{ tool: string; input: unknown }> {
  if (stored !== undefined) return stored
  const { name, input } = await open.meant(call)
  return { tool: name, input }
}
