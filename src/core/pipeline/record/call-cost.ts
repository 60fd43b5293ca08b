import type { SettledStatus } from '../../kernel/call.ts'
import type { TurnUsage } from '../../conversations/conversation.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { ToolContract } from '../../kernel/tool.ts'

/** More than this in one call is a mistake, and would drown everybody else's figures. */
export const maxCost = 1_000_000_000

/** What a run has reported so far, in units. */
export interface Spending {
  units: number
  /** As much of it as budgets know of already. */
  counted: number
  /** What models used that it has asked. */
  usage?: TurnUsage
}

/** Adds what a tool reports. Throws for what is no amount, so that the tool's author sees it. */
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

/** What a call that ends so has cost: its price if it completed, and what its run reported in any case. */
export function costOf(
  status: SettledStatus,
  contract: Pick<ToolContract, 'cost'> | undefined,
  reported = 0,
): number {
  const price = status === 'completed' ? (contract?.cost ?? 0) : 0
  return price + reported
}
