import { z } from 'zod'
import {
  levelSchema,
  patternsSchema as patterns,
  profileSchema,
} from '../../core/rules/rule-schemas.ts'

export const profilesSchema = z
  .record(z.string(), profileSchema)
  .default({})
  .describe('Your own profiles, by name')

export const groupsSchema = z
  .record(z.string(), patterns)
  .default({})
  .describe('Your own groups: group:<name> in patterns')

export const providersSchema = z
  .record(z.string(), levelSchema)
  .default({})
  .describe('A level for agents that use models of this provider')
