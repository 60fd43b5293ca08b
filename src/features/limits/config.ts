import { z } from 'zod'
import { eachOnce } from '../../core/schema/each-once.ts'
import { namedLimit } from './schemas.ts'

/** Limits of one tenant. */
export const tenantLimitsSchema = z
  .array(namedLimit)
  .max(1000)
  .superRefine(eachOnce('limits', 'name'))
  .default([])

/** Limits of every tenant. */
export const limitRulesSchema = z
  .array(namedLimit)
  .max(1000)
  .default([])
  .describe('Limits in every tenant; each tenant is counted separately')
