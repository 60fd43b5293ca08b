import { type Load, perform } from './load.ts'

/** Reads, writes, repeatable writes and tools that call tools; part of them under keys, some sent again on purpose. */
export const inlineLoad: Load = {
  name: 'inline',
  weight: 5,
  needs: ['/api/v1/tools/{name}/calls'],
  async turn(context) {
    const { random } = context
    const operation = context.nextOperation()
    const tool = random.pick([
      'chaos.look',
      'chaos.write',
      'chaos.write',
      'chaos.put',
      'chaos.chain',
    ] as const)
    // Most are quick; a few are under way when something happens.
    const isSlow = random.chance(0.08)
    const input = {
      operation,
      beforeMs: random.between(0, isSlow ? 2500 : 20),
      afterMs: random.between(0, isSlow ? 2500 : 20),
    }
    const key = random.chance(0.6) ? `key-${operation}` : undefined
    const wanted = { tool, input, key }
    // Two at once with one key are as good as one.
    const isTwice = key !== undefined && random.chance(0.2)
    await Promise.all([perform(wanted, context), isTwice && perform(wanted, context)])
    if (key !== undefined && random.chance(0.2)) await perform(wanted, context)
  },
}
