import { textOf } from '../model/schema.ts'
import type { SchemaObject } from '../model/schema.ts'

/** The entity type that a schema declares for its values. */
export interface EntityType {
  type: string
  /** The tool that the schema names. */
  tool?: string
}

/** A value of which another tool knows the name. */
export interface EntityId {
  entity: EntityType
  id: string | number
}

export function entityTypeOf(schema: SchemaObject): EntityType | undefined {
  const type = textOf(schema['x-entity-type'])
  const tool = textOf(schema['x-entity-tool'])
  return type === undefined ? undefined : { type, ...(tool !== undefined && { tool }) }
}
