import {
  type GetPromptResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { PromptListing, PromptText } from '../../../core/shelf/shelf-api.ts'
import { askOverSession } from '../calls/ask-over-session.ts'
import { toLine } from '../calls/caller-line.ts'
import { missingAbilities } from '../calls/client-abilities.ts'
import { type Exchange, startExchange } from '../calls/exchange.ts'
import type { ParkTicket } from '../calls/parking.ts'
import { isToolError, ToolError } from '../../../core/errors.ts'
import { fromCursor, toCursor } from '../cursor.ts'
import type { Attend, McpRequest } from '../mcp-desk.ts'
import { holderOf } from '../mcp-visit.ts'

/** Prompts, and what completes their arguments and the gaps of addresses. */
export function addPromptHandlers(server: Server, attend: Attend): void {
  server.setRequestHandler('prompts/list', (request, context) =>
    attend(context, async ({ desk, visit }) => {
      const page = await desk.api.listPrompts(visit.caller, {
        ...visit.face,
        after: fromCursor(request.params?.cursor),
        limit: desk.limits.pageSize,
      })
      return { prompts: page.items.map(toPrompt), ...toNext(page.next) }
    }),
  )
  server.setRequestHandler('prompts/get', (request, context) =>
    attend(context, (asked) => getPrompt(request.params, asked, context)),
  )
  server.setRequestHandler('completion/complete', (request, context) =>
    attend(context, async ({ desk, visit }) => {
      const { ref, argument, context: known } = request.params
      const target =
        ref.type === 'ref/prompt'
          ? ({ type: 'prompt', name: ref.name } as const)
          : ({ type: 'resource', uriTemplate: ref.uri } as const)
      const { values, total, hasMore } = await desk.api.completeArgument(visit.caller, {
        ...visit.face,
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
  const { desk, visit } = request
  const owner = { holder: holderOf(visit.caller), subject: `prompts/get ${params.name}` }
  const ticket = context.mcpReq.requestState<ParkTicket>()
  const exchange =
    ticket === undefined
      ? begin(params, request, context)
      : (desk.parking.resume(ticket, owner) as Exchange<PromptText>)
  if (ticket !== undefined) exchange.answer(context.mcpReq.inputResponses ?? {})
  const outcome = await untilNext(exchange, context)
  if (outcome.isDone) return outcome.value as GetPromptResult
  return inputRequired({
    inputRequests: exchange.questions() as object as NonNullable<
      Parameters<typeof inputRequired>[0]['inputRequests']
    >,
    requestState: await desk.parking.park(exchange, owner, context),
  }) as unknown as GetPromptResult
}

function begin(
  params: { name: string; arguments?: Record<string, string> },
  { desk, visit, abilities, isTwoWay }: McpRequest,
  context: ServerContext,
): Exchange<PromptText> {
  return startExchange<PromptText>({
    abilities,
    line: toLine(context),
    askMs: desk.limits.askMs,
    given: context.mcpReq.inputResponses,
    ...(isTwoWay && { send: askOverSession(context, desk.limits.askMs) }),
    work: ({ client }) =>
      desk.api.getPrompt(
        visit.caller,
        { name: params.name, arguments: params.arguments ?? {}, ...visit.face },
        client,
      ),
  })
}

async function untilNext(exchange: Exchange<PromptText>, { mcpReq }: ServerContext) {
  const leave = () => exchange.abort(new ToolError('cancelled', 'The client cancelled'))
  mcpReq.signal.addEventListener('abort', leave, { once: true })
  try {
    return await exchange.next()
  } catch (error) {
    const isUnable = isToolError(error) && error.code === 'client_unable'
    throw isUnable && exchange.missing.size > 0 ? missingAbilities(exchange.missing) : error
  } finally {
    mcpReq.signal.removeEventListener('abort', leave)
  }
}
