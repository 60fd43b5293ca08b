import { ToolError } from '../../../core/kernel/errors.ts'
import type { HttpRequest } from './http-request.ts'
import { readBody } from './request-body.ts'

/** No form of ours is longer. */
const maxFormBytes = 16_384

/** The fields of a form that a page of ours has sent. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams> {
  const type = request.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new ToolError('unsupported_media_type', 'This page takes forms only', {
      fix: 'Programs use the API: see /docs.',
    })
  }
  const bytes = await readBody(request, maxFormBytes)
  return new URLSearchParams(new TextDecoder().decode(bytes))
}
