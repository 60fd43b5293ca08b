import { z } from 'zod'

/** The skills of a declared agent. */
export const declaredSkills = z
  .array(
    z
      .string()
      .regex(
        /^[a-z][a-z0-9-]{0,62}(?:@[0-9a-f]{8,64})?$/,
        'must be the name of a skill, or name@version with at least 8 characters of it',
      ),
  )
  .max(100)
  .default([])
  .describe('Its skills: a name, for the newest version at startup, or name@version')

/** Folders with skills. */
export const skillFolders = z.array(z.string()).default([])
