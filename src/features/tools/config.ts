import { z } from 'zod'
import { patternsSchema as patterns } from '../../core/rules/rule-schemas.ts'

export const packsSchema = z
  .record(z.string(), z.boolean())
  .describe('Packs switched on or off by name')

export const toolSearchSchema = z
  .strictObject({
    autoAbove: z
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Agents in auto mode search for tools if they may use more than this number'),
    always: patterns.default([]).describe('Tools that are always listed'),
  })
  .prefault({})
  .describe('For agents with too many tools to list')

export const catalogueSchema = z
  .strictObject({
    keepDays: z
      .number()
      .min(0)
      .max(3650)
      .default(30)
      .describe('How long grants and settings of a removed tool are kept'),
  })
  .prefault({})
  .describe('Removed tools')
