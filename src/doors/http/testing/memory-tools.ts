import type { CallOutput } from '../../../core/kernel/call-request.ts'
import type { ToolListing } from '../../../core/tools/tool-listing.ts'
import type { Effect, JsonValue } from '../../../core/kernel/tool.ts'

/** What a tool of the memory crib gets: enough to hang, to stream and to be aborted. */
export interface MemoryRun {
  signal: AbortSignal
  output(output: CallOutput): void
}

export interface MemoryTool {
  listing: ToolListing
  isBackground: boolean
  isDenied: boolean
  execute(input: JsonValue, run: MemoryRun): Promise<JsonValue> | JsonValue
}

function tool(
  name: string,
  execute: MemoryTool['execute'],
  more: { effect?: Effect; isBackground?: boolean; isDenied?: boolean; title?: string } = {},
): MemoryTool {
  const listing: ToolListing = {
    name,
    wireName: name.replaceAll(/[^\w-]/g, '_'),
    title: more.title ?? name,
    description: `What ${name} does.`,
    effect: more.effect ?? 'read',
    pack: name.split(/[.:]/)[0] ?? name,
    source: 'code',
    state: 'ready',
  }
  return {
    listing,
    execute,
    isBackground: more.isBackground ?? false,
    isDenied: more.isDenied ?? false,
  }
}

/** Resolves when the run is aborted, and never before. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One tool for each way in which a call can go. */
export const memoryTools: readonly MemoryTool[] = [
  tool('text.echo', (input) => input, { title: 'Echo <b>text</b>' }),
  tool('mcp:docs:search', (input) => input),
  tool('billing.refund', () => ({ refunded: true }), { effect: 'destructive', isDenied: true }),
  tool('text.stream', async (_input, { output }) => {
    for (const partial of ['one', 'two', 'three']) {
      await pause(5)
      output({ partial })
    }
    return 'one two three'
  }),
  tool('text.flood', async (_input, { output, signal }) => {
    for (let i = 0; i < 5_000 && !signal.aborted; i += 1)
      output({ partial: `${i} ${'x'.repeat(1_000)}` })
    return 'done'
  }),
  tool('time.forever', async (_input, { signal, output }) => {
    output({ progress: { message: 'waiting' } })
    await untilAborted(signal)
    return null
  }),
  tool('time.pause', async (input) => {
    await pause(
      typeof input === 'object' && input !== null && 'ms' in input ? Number(input.ms) : 50,
    )
    return 'rested'
  }),
  tool(
    'report.build',
    async (_input, { output }) => {
      await pause(20)
      output({ progress: { done: 1, total: 2 } })
      await pause(20)
      return { pages: 3 }
    },
    { isBackground: true, effect: 'write' },
  ),
]
