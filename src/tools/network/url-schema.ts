import { z } from 'zod'

/** An address that a caller gives. Whether it may be reached is decided when it is dialled. */
export const urlSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => isWebAddress(text), {
    error: 'must be an http or https address such as https://example.com/page',
  })

function isWebAddress(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}
