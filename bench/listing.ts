import { benchTool, withCrib } from './fixtures.ts'
import { type Figure, medianMs } from './measure.ts'

/** What an agent sees, out of many tools: the first time and again. */
export async function benchListing(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const count of [10, 100, 1000, 5000]) figures.push(...(await listOf(count)))
  return figures
}

async function listOf(count: number): Promise<Figure[]> {
  const tools = Array.from({ length: count }, (_, at) => benchTool(`bench.tool-${at}`))
  const agents = [{ slug: 'agent', tools: { allow: ['bench.*'], deny: ['bench.tool-1'] } }]
  return withCrib({ config: { agents }, tools }, async (crib) => {
    const list = () => crib.tools({ agent: 'agent' })
    const cold = await medianMs(1, list)
    const warm = await medianMs(21, list)
    return [
      { name: `list ${count} tools, cold`, value: cold, unit: 'ms' },
      {
        name: `list ${count} tools, warm`,
        value: warm,
        unit: 'ms',
        ...(count === 1000 && { goal: '< 5', kept: warm < 5 }),
      },
    ]
  })
}
