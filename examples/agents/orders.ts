import { type Crib, defineTool, z } from 'toolcrib'
import { createTestCrib } from 'toolcrib/testing'

/** Orders that were refunded, in the order in which it happened. */
export const refunded: string[] = []

const find = defineTool({
  name: 'orders.find',
  description: 'Find an order by its number.',
  effect: 'read',
  inputSchema: z.object({ order: z.string(), withItems: z.boolean().optional() }),
  execute: ({ order }) => ({ order, total: 20 }),
})

const refund = defineTool({
  name: 'orders.refund',
  description: 'Refund an order. Find it first.',
  effect: 'destructive',
  approval: 'always',
  inputSchema: z.object({ order: z.string(), amount: z.number().positive() }),
  execute: ({ order, amount }) => {
    refunded.push(order)
    return { refunded: amount }
  },
})

/** A crib that keeps nothing; `createCrib({ tools })` has the same functions and keeps everything. */
export function openOrders(): Promise<Crib> {
  return createTestCrib({ tools: [find, refund] })
}

/** A crib in this process, or one elsewhere: all that these examples need of it. */
export type WithPort = Pick<Crib, 'port'>

/** Whoever answers in these conversations. */
export const anna = { user: 'anna' }
