import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { ResourceListing, ResourceTemplate } from '../../../core/library/library-api.ts'
import { fromCursor } from '../cursor.ts'
import type { Attend } from '../mcp-shared.ts'
import { toNext } from './prompt-handlers.ts'

/** Readable items: lists, templates and the resources themselves. */
export function addResourceHandlers(server: Server, attend: Attend): void {
  server.setRequestHandler('resources/list', (request, context) =>
    attend(context, async ({ shared, requestContext }) => {
      const page = await shared.api.listResources(requestContext.caller, {
        ...requestContext.scope,
        after: fromCursor(request.params?.cursor),
        limit: shared.limits.pageSize,
      })
      return { resources: page.items.map(withoutServer), ...toNext(page.next) }
    }),
  )
  server.setRequestHandler('resources/templates/list', (request, context) =>
    attend(context, async ({ shared, requestContext }) => {
      const page = await shared.api.listResourceTemplates(requestContext.caller, {
        ...requestContext.scope,
        after: fromCursor(request.params?.cursor),
        limit: shared.limits.pageSize,
      })
      return { resourceTemplates: page.items.map(withoutServer), ...toNext(page.next) }
    }),
  )
  server.setRequestHandler('resources/read', (request, context) =>
    attend(context, async ({ shared, requestContext }) => {
      const { uri } = request.params
      try {
        const read = await shared.api.readResource(requestContext.caller, {
          uri,
          ...requestContext.scope,
        })
        return { contents: read.map((contents) => ({ ...contents })) as never }
      } catch (error) {
        if (isToolError(error) && error.code === 'not_found') throw new ResourceNotFoundError(uri)
        throw error
      }
    }),
  )
}

/** Which server it is from is ours to know. */
function withoutServer<T extends ResourceListing | ResourceTemplate>(item: T): Omit<T, 'server'> {
  const listing = { ...item }
  delete listing.server
  return listing
}
