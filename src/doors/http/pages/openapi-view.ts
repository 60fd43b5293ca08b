/** The parts of an OpenAPI 3.1 document that the page reads. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, SchemaObject> }
}

export interface SchemaObject {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  example?: unknown
  properties?: Record<string, SchemaObject>
  required?: string[]
  items?: SchemaObject
  allOf?: SchemaObject[]
  anyOf?: SchemaObject[]
  additionalProperties?: SchemaObject | boolean
}

export interface DescribedOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    schema?: SchemaObject
  }[]
  requestBody?: { content: Record<string, { schema: SchemaObject }> }
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema?: SchemaObject }> }
  >
}

export interface OperationAt {
  method: string
  path: string
  operation: DescribedOperation
}

/** Every operation, in the order of the document. */
export function operationsOf(document: OpenApiDocument): OperationAt[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
}

/** The schema itself, where it is a reference to one of the document's own. */
export function resolve(document: OpenApiDocument, schema: SchemaObject): SchemaObject {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? schema)
}

/** The fields of an object, those of every part where it is made of several. */
export function fieldsOf(
  document: OpenApiDocument,
  schema: SchemaObject,
): { name: string; field: SchemaObject; isRequired: boolean }[] {
  const { properties = {}, required = [], allOf = [] } = resolve(document, schema)
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    field,
    isRequired: required.includes(name),
  }))
  return [...own, ...allOf.flatMap((part) => fieldsOf(document, part))]
}
