import { z } from 'zod'
import { checkJson } from '../../../../core/kernel/json/check-json.ts'
import type { JsonValue } from '../../../../core/kernel/json.ts'

export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type HttpMethod = (typeof httpMethods)[number]

/** How a body is sent. */
export const bodyTypes = ['json', 'form', 'multipart', 'text'] as const

/** One request to a fixed host. Texts may hold references such as `{{input.id}}`. */
export interface HttpSpec {
  kind: 'http'
  method: HttpMethod
  /** The scheme and the host are literal; references are allowed after them. */
  url: string
  /** Parameters that are added to the address. A list is sent as several; null is left out. */
  query?: { [name: string]: JsonValue } | undefined
  headers?: { [name: string]: string } | undefined
  body?: JsonValue | undefined
  /** Default: `json`. */
  bodyType?: (typeof bodyTypes)[number] | undefined
  /**
   * The part of the answer that is the output: a path such as `body.items`, or any JSON with
   * references to `body`, `status`, `headers` and `input`. Default: the body.
   */
  pick?: JsonValue | undefined
  /** Statuses that are a success, also as `2xx`. Default: `2xx`. */
  ok?: (number | string)[] | undefined
}

/** Limits of a request and its answer. */
export const httpBounds = {
  maxUrlChars: 8192,
  maxPairs: 100,
  maxHeaderChars: 16_384,
  /** Of the answer, decompressed. */
  maxAnswerBytes: 5_000_000,
} as const

const json = z.custom<JsonValue>((value) => value !== undefined && checkJson(value) === undefined, {
  error: 'must be plain JSON',
})
const few = (count: number) => count <= httpBounds.maxPairs
const tooMany = { error: `must have at most ${httpBounds.maxPairs} entries` }

/** The form of a request. `checkHttp` checks its host, references and secrets. */
export const httpSpec: z.ZodType<HttpSpec> = z.strictObject({
  kind: z.literal('http'),
  method: z.enum(httpMethods),
  url: z.string().min(1).max(httpBounds.maxUrlChars),
  query: z
    .record(z.string().min(1).max(256), json)
    .refine((query) => few(Object.keys(query).length), tooMany)
    .optional(),
  headers: z
    .record(z.string().min(1).max(256), z.string().max(httpBounds.maxHeaderChars))
    .refine((headers) => few(Object.keys(headers).length), tooMany)
    .optional(),
  body: json.optional(),
  bodyType: z.enum(bodyTypes).optional(),
  pick: json.optional(),
  ok: z
    .array(
      z.union([z.int().min(100).max(599), z.string().regex(/^[1-5]xx$/)], {
        error: 'must be a status such as 404, or a class such as 2xx',
      }),
    )
    .min(1)
    .max(20)
    .optional(),
})
