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
      .describe('Agents on auto search for tools when they may use more than so many'),
    always: patterns.default([]).describe('Tools that are listed all the same'),
  })
  .prefault({})
  .describe('Where agents have too many tools to list')

export const catalogueSchema = z
  .strictObject({
    keepDays: z
      .number()
      .min(0)
      .max(3650)
      .default(30)
      .describe('How long grants and settings of a tool that is gone are kept'),
  })
  .prefault({})
  .describe('What is kept of tools that are gone')
