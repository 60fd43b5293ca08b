import type { Migrations, TableSpec } from '../core/kernel/views/table-spec.ts'
import { scheduleTables, type ScheduleTables } from './schedules/tables.ts'
import { skillTables, type SkillTables } from './skills/tables.ts'

// The schema of all features. It knows nobody, so that the store below the features can read it.

export type FeatureTables = ScheduleTables & SkillTables

/** Every table of a feature that holds rows of a tenant. */
export const featureTables: readonly TableSpec<keyof FeatureTables>[] = [
  ...scheduleTables,
  ...skillTables,
]

/** Steps of the schema that features have added since they have a folder of their own. */
export const featureMigrations: Migrations = {}
