import { z } from 'zod'
import { parseHostPattern } from '../../core/net/host-pattern.ts'
import { maxShortChars } from '../../core/kernel/text/short-text.ts'

const mostHosts = 1000

const hostPattern = z
  .string()
  .min(1)
  .max(maxShortChars)
  .refine((text) => parseHostPattern(text) !== undefined, {
    error:
      'must be a host such as example.com, *.example.com or *, optionally with :port, and without https://',
  })

export const hostPatterns = z.array(hostPattern).max(mostHosts).default([])

export const networkRuleFields = {
  allow: hostPatterns.meta({
    description: 'Hosts: `example.com`, `*.example.com`, `example.com:8443`, `*`',
  }),
  deny: hostPatterns.meta({ description: 'Hosts that are excluded, whatever allows them' }),
}
