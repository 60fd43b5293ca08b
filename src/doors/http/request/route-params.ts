import { ToolError } from '../../../core/kernel/errors.ts'
import { isShortText } from '../../../core/kernel/text/short-text.ts'
import type { HttpRequest } from './http-request.ts'

/** The tool's name in the path. An impossible name is simply not found. */
export function nameParam(request: HttpRequest): string {
  const name = request.param('name')
  if (isShortText(name)) return name
  throw new ToolError('tool_not_found', 'There is no such tool', {
    fix: 'GET /api/v1/tools lists the tools you see.',
  })
}

/** The id in the path. */
export function idParam(request: HttpRequest): string {
  const id = request.param('id')
  if (isShortText(id)) return id
  throw new ToolError('not_found', 'There is nothing with this id')
}

/** The slug in the path. */
export function slugParam(request: HttpRequest): string {
  const slug = request.param('slug')
  if (isShortText(slug)) return slug
  throw new ToolError('not_found', 'There is nothing of this name')
}
