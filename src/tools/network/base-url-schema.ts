import { z } from 'zod'

/** An operator's address of an API: a proxy, or a server of their own. Never from a tool's input. */
export function baseUrlSchema(usual: string) {
  return z
    .string()
    .max(500)
    .refine((text) => /^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(text), {
      error: 'must be an http or https address without a query, such as https://api.example.com',
    })
    .default(usual)
}
