import { z } from 'zod'
import { eachOnce } from '../../core/schema/each-once.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import { declaredSkills } from '../skills/config.ts'

/** An agent as the configuration declares it. */
const declaredAgent = agentSchema.extend({ skills: declaredSkills })

export const agentsSchema = z
  .array(declaredAgent)
  .superRefine(eachOnce('agents', 'slug'))
  .default([])
