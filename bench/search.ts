import type { OfferedTool } from '../src/core/offer/tool-offer.ts'
import { createToolIndex } from '../src/core/search/tool-index.ts'
import { estimateAll } from '../src/core/search/estimate-tokens.ts'
import { benchTool } from './fixtures.ts'
import { type Figure, median } from './measure.ts'

const count = 10_000
const verbs = ['find', 'create', 'update', 'delete', 'list', 'export', 'approve', 'send']
const nouns = ['invoice', 'customer', 'ticket', 'repository', 'branch', 'deployment', 'contact']
const queries = ['refund an invoice', 'create a branch', 'who is the customer', 'aproove deploymnt']

/** Finding tools among ten thousand: the index, and one search of it. */
export async function benchSearch(): Promise<Figure[]> {
  const tools = Array.from({ length: count }, (_, at) => toOffered(at))
  const startedAt = performance.now()
  const index = createToolIndex(tools)
  const builtIn = performance.now() - startedAt
  const times = Array.from({ length: 200 }, (_, turn) => {
    const before = performance.now()
    index.search(queries[turn % queries.length] ?? '', 8)
    return performance.now() - before
  })
  const tokens = estimateAll(tools)
  return [
    { name: `index of ${count} tools`, value: builtIn, unit: 'ms' },
    { name: `search among ${count} tools, p50`, value: median(times), unit: 'ms' },
    { name: `search among ${count} tools, most`, value: Math.max(...times), unit: 'ms' },
    { name: `${count} tools, listed`, value: tokens, unit: 'tokens' },
  ]
}

function toOffered(at: number): OfferedTool {
  const verb = verbs[at % verbs.length] ?? ''
  const noun = nouns[Math.floor(at / verbs.length) % nouns.length] ?? ''
  const { contract } = benchTool(`bench.${verb}-${noun}-${at}`)
  const { name, icon, effect, idempotent, openWorld, pack, source } = contract
  const { inputSchema, outputSchema, examples, execution, timeoutMs } = contract
  return {
    name,
    wireName: name.replaceAll('.', '_'),
    title: `${verb} ${noun}`,
    description: `Use this to ${verb} a ${noun} of department ${at % 97}, by number or by name.`,
    icon,
    effect,
    idempotent,
    openWorld,
    pack,
    source,
    inputSchema,
    outputSchema,
    examples,
    execution,
    timeoutMs,
    asks: false,
    mayAsk: false,
  }
}
