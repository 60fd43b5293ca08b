import type { Turn } from '../../core/conversations/conversation.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/**
 * Resuming after a wait, or on another node, is normal; doing so this often without progress is a
 * fault.
 */
const attemptsAtFirst = 20
const attemptsPerStep = 5

/** Stops a turn that ends its node again and again before it ends them all. */
export function assertProgress({ attempt, step }: Turn): void {
  if (attempt <= attemptsAtFirst + attemptsPerStep * step) return
  throw new ToolError('interrupted', `The turn was resumed ${attempt} times without progress`, {
    retryable: false,
    fix: 'Check the logs of the servers for what ended them, then ask again.',
  })
}
