import { z } from 'zod'
import {
  levelSchema,
  patternsSchema as patterns,
  profileSchema,
} from '../../core/rules/rule-schemas.ts'

export const profilesSchema = z
  .record(z.string(), profileSchema)
  .default({})
  .describe('Profiles of your own, by name')

export const groupsSchema = z
  .record(z.string(), patterns)
  .default({})
  .describe('Groups of your own: group:<name> in patterns')

export const providersSchema = z
  .record(z.string(), levelSchema)
  .default({})
  .describe('A level for agents on models of a provider, by its name')
