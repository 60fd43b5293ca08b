import { z } from 'zod'

export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export const logFormats = ['text', 'json'] as const

/** The log that a server writes to stderr. */
export const logsSchema = z.strictObject({
  format: z
    .enum(logFormats)
    .default('text')
    .describe('One line of text per entry, or one JSON object'),
  level: z.enum(logLevels).default('info').describe('The minimum severity of entries'),
  access: z.boolean().default(false).describe('Write an entry for every HTTP request'),
})

export type LogSettings = z.output<typeof logsSchema>
