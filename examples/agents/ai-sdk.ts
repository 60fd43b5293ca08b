import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type ModelMessage } from 'ai'
import type { Crib } from 'toolcrib'
import type { CribToolSet } from 'toolcrib/ai-sdk'
import { runExample } from './run-example.ts'

/** A crib here or elsewhere: `createCrib` and `connectCrib` have the same `toolSet`. */
interface Tools {
  toolSet(options: { sessionId: string }): Promise<CribToolSet>
}

/** The AI SDK: what waits for a person is an approval request, and the crib has the last word. */
export async function withAiSdk(
  tools: Tools,
  { crib, baseURL, sessionId }: { crib: Crib; baseURL: string; sessionId: string },
): Promise<string> {
  const model = createOpenAICompatible({ name: 'played', baseURL }).chatModel('played')
  const set = await tools.toolSet({ sessionId })
  const settings = {
    model,
    tools: set.tools,
    toolApproval: set.toolApproval,
    stopWhen: isStepCount(10),
  }
  const asked: ModelMessage[] = [{ role: 'user', content: 'Refund order A-7.' }]
  const stopped = await generateText({ ...settings, messages: asked })
  const history = [...asked, ...stopped.responseMessages]

  // Whatever a client says in the history, only what was decided in the crib counts.
  const { waiting } = await set.resume(history)
  const { decide } = crib.port({ approver: { user: 'anna' } })
  for (const { approvalId = '', callId = '' } of waiting) {
    await decide?.({ approvalId, callId, approved: true })
  }
  const { messages } = await set.resume(history)
  return (await generateText({ ...settings, messages })).text
}

await runExample(import.meta.url, {
  'AI SDK': (crib, baseURL) => withAiSdk(crib, { crib, baseURL, sessionId: 'here' }),
})
