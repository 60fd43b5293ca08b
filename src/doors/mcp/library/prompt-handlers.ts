import {
  type GetPromptResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { PromptListing, PromptText } from '../../../core/library/library-api.ts'
import { askOverSession } from '../calls/ask-over-session.ts'
import { toLine } from '../calls/caller-line.ts'
import { missingAbilities } from '../calls/client-abilities.ts'
import { type PendingDialog, startDialog } from '../calls/pending-dialog.ts'
import type { ResumeToken } from '../calls/parked-dialogs.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import { fromCursor, toCursor } from '../cursor.ts'
import type { Attend, McpRequest } from '../mcp-shared.ts'
import { holderOf } from '../mcp-request-context.ts'

/** Prompts, and what completes their arguments and the gaps of addresses. */
export function addPromptHandlers(server: Server, attend: Attend): void {
  server.setRequestHandler('prompts/list', (request, context) =>
    attend(context, async ({ shared, requestContext }) => {
      const page = await shared.api.listPrompts(requestContext.caller, {
        ...requestContext.scope,
        after: fromCursor(request.params?.cursor),
        limit: shared.limits.pageSize,
      })
      return { prompts: page.items.map(toPrompt), ...toNext(page.next) }
    }),
  )
  server.setRequestHandler('prompts/get', (request, context) =>
    attend(context, (asked) => getPrompt(request.params, asked, context)),
  )
  server.setRequestHandler('completion/complete', (request, context) =>
    attend(context, async ({ shared, requestContext }) => {
      const { ref, argument, context: known } = request.params
      const target =
        ref.type === 'ref/prompt'
          ? ({ type: 'prompt', name: ref.name } as const)
          : ({ type: 'resource', uriTemplate: ref.uri } as const)
      const { values, total, hasMore } = await shared.api.completeArgument(requestContext.caller, {
        ...requestContext.scope,
        target,
        argument,
        ...(known?.arguments && { known: known.arguments }),
      })
      return {
        completion: {
          values: values.slice(0, maxValues),
          total: total ?? values.length,
          hasMore: hasMore ?? values.length > maxValues,
        },
      }
    }),
  )
}

/** As many as the protocol allows in one answer. */
const maxValues = 100

/** The place of the next page. */
export function toNext(next: string | undefined): { nextCursor?: string } {
  return next === undefined ? {} : { nextCursor: toCursor(next) }
}

function toPrompt({ name, title, description, arguments: taken }: PromptListing) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(taken.length > 0 && { arguments: taken.map((argument) => ({ ...argument })) }),
  }
}

async function getPrompt(
  params: { name: string; arguments?: Record<string, string> },
  request: McpRequest,
  context: ServerContext,
): Promise<GetPromptResult> {
  const { shared, requestContext } = request
  const owner = { holder: holderOf(requestContext.caller), subject: `prompts/get ${params.name}` }
  const ticket = context.mcpReq.requestState<ResumeToken>()
  const dialog =
    ticket === undefined
      ? begin(params, request, context)
      : (shared.parked.resume(ticket, owner) as PendingDialog<PromptText>)
  if (ticket !== undefined) dialog.answer(context.mcpReq.inputResponses ?? {})
  const outcome = await untilNext(dialog, context)
  if (outcome.isDone) return outcome.value as GetPromptResult
  return inputRequired({
    inputRequests: dialog.questions() as object as NonNullable<
      Parameters<typeof inputRequired>[0]['inputRequests']
    >,
    requestState: await shared.parked.park(dialog, owner, context),
  }) as unknown as GetPromptResult
}

function begin(
  params: { name: string; arguments?: Record<string, string> },
  { shared, requestContext, abilities, isTwoWay }: McpRequest,
  context: ServerContext,
): PendingDialog<PromptText> {
  return startDialog<PromptText>({
    abilities,
    line: toLine(context),
    askMs: shared.limits.askMs,
    given: context.mcpReq.inputResponses,
    ...(isTwoWay && { send: askOverSession(context, shared.limits.askMs) }),
    work: ({ client }) =>
      shared.api.getPrompt(
        requestContext.caller,
        { name: params.name, arguments: params.arguments ?? {}, ...requestContext.scope },
        client,
      ),
  })
}

async function untilNext(dialog: PendingDialog<PromptText>, { mcpReq }: ServerContext) {
  const leave = () => dialog.abort(new ToolError('cancelled', 'The client cancelled'))
  mcpReq.signal.addEventListener('abort', leave, { once: true })
  try {
    return await dialog.next()
  } catch (error) {
    const isUnable = isToolError(error) && error.code === 'client_unable'
    throw isUnable && dialog.missing.size > 0 ? missingAbilities(dialog.missing) : error
  } finally {
    mcpReq.signal.removeEventListener('abort', leave)
  }
}
