import { z } from 'zod'
import { asAgent } from '../../core/kernel/caller.ts'
import { callStatuses } from '../../core/call-state.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { Tool } from '../../core/kernel/tool.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { callError, jsonValue, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import type { Shield, ShieldedEffect } from '../../core/pipeline/shielded/shield.ts'
import { toEntry, type RegisteredTool } from '../../core/registry-draft.ts'
import { toDraftVersion } from '../../core/tool-version.ts'
import { checkSource, refuseInvalid } from './check-source.ts'
import { draftNotFound, findDraft } from './drafts.ts'
import { assertAuthoring, toolNotFound } from './find-source.ts'
import { atOnce } from './model/at-once.ts'
import { isPublishable } from './model/check-document.ts'
import type { AuthoringParts } from './parts.ts'
import { findPublished } from './preview-source.ts'

const define = operationsOf<AuthoringParts>('Tools as documents')

const effect = z
  .object({
    tool: z.string(),
    input: jsonValue,
    summary: z
      .string()
      .optional()
      .meta({ description: 'The effect it would have, if it has a preview' }),
    problem: z.string().optional().meta({ description: 'The reason, if it has no preview' }),
  })
  .meta({ id: 'TestedEffect', description: 'A call that was not made, because it has an effect' })

const testedTool = z
  .object({
    callId: z.string().optional(),
    status: z.enum(callStatuses),
    output: jsonValue.optional(),
    error: callError.optional(),
    warnings: z.array(z.string()).readonly().optional(),
    effects: z.array(effect).meta({ description: 'Calls that were only previewed' }),
  })
  .meta({ id: 'TestedTool' })

/** `POST /tools/{name}/test`. */
export const testTool = define({
  http: 'POST /api/v1/tools/{name}/test',
  summary: 'Try your draft of a tool',
  description:
    'Runs the draft with this input, as you or as an agent. Reads run; calls with an effect are not made, but previewed. With `real` they are made, under policy like any other, and each of them waits for your approval first: the call of the draft then waits too, and continues like any other. It is recorded as a call with `purpose: test` unless it is real.',
  params: { name: 'The name of the tool' },
  unknownAs: 'tool_not_found',
  needs: 'tools.author',
  agents: 'none',
  body: z
    .strictObject({
      input: jsonValue.optional().meta({ description: "The tool's input; `{}` when left out" }),
      draft: z
        .boolean()
        .default(true)
        .meta({ description: 'Your draft; false: the published version' }),
      real: z.boolean().default(false).meta({ description: 'With its effects' }),
      given: z
        .record(z.string(), jsonValue)
        .optional()
        .meta({ description: 'Outputs in place of calls of these tools' }),
      agent: shortText('As this agent').optional(),
    })
    .meta({ id: 'TestToolRequest' }),
  answer: {
    description: 'The result, and what was not done',
    schema: testedTool,
    whenAsync: 'The real call is stored and not settled yet',
  },
  async run(request, { caller, parts, respondAsync, signal }) {
    assertAuthoring(parts)
    const { name, input = {}, draft, real, given, agent } = request
    const compiled = await compileFor(caller, { name, draft }, parts)
    const entry = real ? await keepDraft(caller, compiled, parts) : compiled.entry
    const effects: ShieldedEffect[] = []
    const shield: Shield = {
      purpose: 'test',
      ...(given !== undefined && { given }),
      onEffect: (one) => void effects.push(one),
    }
    const result = await parts.ports.callTool({
      tool: name,
      input,
      caller: asAgent(caller, { agent }),
      candidate: entry,
      ...(real ? { isTrial: true, respondAsync } : { shield, mayWait: false, heldBy: 'a test' }),
      durable: true,
      signal,
    })
    const { callId, status, output, error, warnings } = result
    return {
      ...(callId !== undefined && { callId }),
      status,
      ...(output !== undefined && { output }),
      ...(error !== undefined && { error }),
      ...(warnings !== undefined && { warnings }),
      effects: effects.map(toEffect),
    }
  },
})

interface Compiled {
  document: JsonValue
  tool: Tool
  entry: RegisteredTool
}

/** The document as a tool that is registered nowhere. */
async function compileFor(
  caller: Caller,
  { name, draft }: { name: string; draft: boolean },
  parts: AuthoringParts,
): Promise<Compiled> {
  const document = await findDocument(caller, { name, draft }, parts)
  const { tool, findings } = await checkSource(caller, document, parts)
  if (tool === undefined || !isPublishable(findings)) throw refuseInvalid(name, findings)
  return { document, tool, entry: toCandidate(tool) }
}

function toCandidate(tool: Tool, version?: string): RegisteredTool {
  const origin = version === undefined ? {} : { version }
  return toEntry({ tool: atOnce(tool), origin }, () => tool.contract.name)
}

/** Trials of earlier drafts that still wait end with theirs. */
const keptDrafts = 50

/** Keeps the draft as it is now, so that its call can wait and is resumed with the same steps. */
async function keepDraft(
  { tenant, principal }: Caller,
  { document, tool }: Compiled,
  { versions }: AuthoringParts,
): Promise<RegisteredTool> {
  const { name } = tool.contract
  const { hash } = await versions.change(tenant, principal, async (draft) => {
    // Before it is kept: content that is old by now gets a new number.
    await draft.dropVersions('draft', name, keptDrafts)
    return draft.keepVersion('draft', name, { body: document })
  })
  return toCandidate(tool, toDraftVersion(hash))
}

async function findDocument(
  caller: Caller,
  { name, draft }: { name: string; draft: boolean },
  parts: AuthoringParts,
): Promise<JsonValue> {
  const mine = draft ? await findDraft(caller, name, parts) : undefined
  if (mine !== undefined) return mine.draft.document as JsonValue
  const published = await findPublished(caller.tenant, name, parts)
  if (published !== undefined) return published
  throw draft ? draftNotFound(name) : toolNotFound(name)
}

function toEffect({ tool, input, preview, problem }: ShieldedEffect) {
  return {
    tool,
    input,
    ...(preview !== undefined && { summary: preview.summary }),
    ...(problem !== undefined && { problem }),
  }
}
