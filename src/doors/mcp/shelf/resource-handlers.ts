import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import { isToolError } from '../../../core/errors.ts'
import type { ResourceListing, ResourceTemplate } from '../../../core/shelf/shelf-api.ts'
import { fromCursor } from '../cursor.ts'
import type { Attend } from '../mcp-desk.ts'
import { toNext } from './prompt-handlers.ts'

/** What can be read: lists, templates and the things themselves. */
export function addResourceHandlers(server: Server, attend: Attend): void {
  server.setRequestHandler('resources/list', (request, context) =>
    attend(context, async ({ desk, visit }) => {
      const page = await desk.api.listResources(visit.caller, {
        ...visit.face,
        after: fromCursor(request.params?.cursor),
        limit: desk.limits.pageSize,
      })
      return { resources: page.items.map(withoutServer), ...toNext(page.next) }
    }),
  )
  server.setRequestHandler('resources/templates/list', (request, context) =>
    attend(context, async ({ desk, visit }) => {
      const page = await desk.api.listResourceTemplates(visit.caller, {
        ...visit.face,
        after: fromCursor(request.params?.cursor),
        limit: desk.limits.pageSize,
      })
      return { resourceTemplates: page.items.map(withoutServer), ...toNext(page.next) }
    }),
  )
  server.setRequestHandler('resources/read', (request, context) =>
    attend(context, async ({ desk, visit }) => {
      const { uri } = request.params
      try {
        const read = await desk.api.readResource(visit.caller, { uri, ...visit.face })
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
