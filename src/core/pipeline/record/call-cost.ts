import type { SettledStatus } from '../../kernel/call.ts'
import type { TurnUsage } from '../../conversations/conversation.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { ToolContract } from '../../kernel/tool.ts'

/** A higher cost for one call is a mistake, and would distort everyone else's figures. */
export const maxCost = 1_000_000_000

/** The cost that a run has reported so far, in units. */
export interface Spending {
  units: number
  /** The part that budgets have already counted. */
  counted: number
  /** Usage of the models it has called. */
  usage?: TurnUsage
}

/** Adds reported cost. Throws for an invalid amount, so that the tool's author notices. */
export function reportCost(spending: Pick<Spending, 'units'>, units: number): void {
  const total = spending.units + units
  const isAmount = typeof units === 'number' && units >= 0 && total <= maxCost
  if (!isAmount) {
    throw new ToolError('tool_failed', `cost takes units from 0 to ${maxCost} in all`, {
      fix: 'Report what this call cost as a finite number that is not negative.',
    })
  }
  spending.units = total
}

/**
 * The cost of a call with this result: its price if it completed, plus what its run reported in any
 * case.
 */
export function costOf(
  status: SettledStatus,
  contract: Pick<ToolContract, 'cost'> | undefined,
  reported = 0,
): number {
  const price = status === 'completed' ? (contract?.cost ?? 0) : 0
  return price + reported
}
