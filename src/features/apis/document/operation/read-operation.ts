import { checkBounds } from '../../../../core/schema/document/check-bounds.ts'
import { isToolError } from '../../../../core/kernel/errors.ts'
import type { AuthScheme, JsonObject, Method, ApiOperation } from '../../model.ts'
import { readSecurity } from '../read-schemes.ts'
import { ownServer } from '../read-servers.ts'
import { OperationFault, type References } from '../references.ts'
import { createSchemaWriter } from '../schema/write-schema.ts'
import { listIn, textIn, textsIn } from '../values.ts'
import { readBody, readSwaggerBody } from './read-body.ts'
import { type FoundParameter, readParameters } from './read-parameters.ts'
import { mediaTypes, readResponses } from './read-responses.ts'
import { toInput } from './to-input.ts'

/** The document that an operation is in. */
export interface DocumentScope {
  references: References
  schemes: readonly AuthScheme[]
  isSwagger: boolean
  /** Where the document is, for relative addresses. */
  origin: string | undefined
  server: string | undefined
}

/** An operation with its path and verb. */
export interface PlacedOperation {
  name: string
  method: Method
  path: string
  operation: JsonObject
  pathItem: JsonObject
}

/** Reads one operation. A problem becomes the fault of this operation alone. */
export function readOperation(placed: PlacedOperation, surroundings: DocumentScope): ApiOperation {
  const words = toWords(placed)
  try {
    const { shape, findings } = toShape(placed, surroundings)
    checkBounds(shape.inputSchema)
    return { ...words, ...shape, findings }
  } catch (error) {
    return { ...words, ...nothing, findings: [], fault: faultOf(error) }
  }
}

const nothing = {
  inputSchema: { type: 'object', additionalProperties: true },
  parameters: [],
  accept: [],
  security: [],
}

type Words = Pick<ApiOperation, 'name' | 'title' | 'description' | 'method' | 'path' | 'tags'>

function toWords({ name, method, path, operation }: PlacedOperation): Words {
  const summary = textIn(operation, 'summary', 200)
  const description = textIn(operation, 'description', 4000)
  const isOld = operation['deprecated'] === true
  const parts = [isOld ? 'Deprecated.' : undefined, summary, description]
  const said = [...new Set(parts.filter((part) => part !== undefined))]
  return {
    name,
    title: summary ?? textIn(operation, 'operationId', 200) ?? `${method} ${path}`.slice(0, 200),
    description: said.join('\n\n') || `${method} ${path}`.slice(0, 1000),
    method,
    path,
    tags: textsIn(operation, 'tags')
      .slice(0, 10)
      .map((tag) => tag.slice(0, 100)),
  }
}

type Shape = Omit<ApiOperation, keyof Words | 'findings' | 'fault'>

function toShape(placed: PlacedOperation, surroundings: DocumentScope) {
  const { operation, pathItem, path } = placed
  const { references, schemes, isSwagger } = surroundings
  const lists = [listIn(pathItem, 'parameters'), listIn(operation, 'parameters')]
  const found = readParameters(lists, { references, schemes })
  const parameters = completePath(path, found.parameters)
  const body = isSwagger
    ? readSwaggerBody(lists.flat(), mediaTypes(operation, references.root, 'consumes'), references)
    : readBody(operation, references)
  const writer = createSchemaWriter(references, 'input')
  const input = toInput({ parameters, body, references, writer })
  const produces = isSwagger ? mediaTypes(operation, references.root, 'produces') : []
  const answers = readResponses(operation, produces, references)
  const server = ownServer([operation, pathItem], surroundings.origin)
  const shape: Shape = {
    inputSchema: input.schema,
    ...(answers.schema !== undefined && { outputSchema: answers.schema }),
    parameters: input.parameters,
    ...(input.body !== undefined && { body: input.body }),
    accept: answers.accept,
    security: readSecurity(operation, references.root, schemes),
    ...(server !== undefined && server !== surroundings.server && { server }),
  }
  const findings = [
    ...found.dropped.map((name) => ({
      message: `The header or cookie ${name} carries a credential: set it in the settings of the API`,
    })),
    ...(writer.isShortened
      ? [{ message: 'Its input is too large to describe: the deeper parts take any value' }]
      : []),
    ...(isElsewhere(server, surroundings.server)
      ? [{ message: `It is on another host (${server}), which gets no credentials` }]
      : []),
  ]
  return { shape, findings }
}

/** Some documents name a parameter in the path alone; others describe one that is not in it. */
function completePath(path: string, parameters: readonly FoundParameter[]): FoundParameter[] {
  const named = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const known = new Set(parameters.flatMap((one) => (one.in === 'path' ? [one.name] : [])))
  const missing = named.filter((name, at) => !known.has(name) && named.indexOf(name) === at)
  const added = missing.map((name): FoundParameter => ({
    name,
    in: 'path',
    isRequired: true,
    description: undefined,
    schema: { type: 'string' },
    style: 'simple',
    explode: false,
  }))
  return [...added, ...parameters.filter((one) => one.in !== 'path' || named.includes(one.name))]
}

function isElsewhere(server: string | undefined, usual: string | undefined): boolean {
  if (server === undefined || usual === undefined) return false
  return new URL(server).origin !== new URL(usual).origin
}

function faultOf(error: unknown): string {
  if (error instanceof OperationFault) return error.message.slice(0, 500)
  if (isToolError(error)) return `its input can not be used: ${error.message}`.slice(0, 500)
  // A document may hold anything anywhere: it never takes the rest down.
  return `it can not be read: ${error instanceof Error ? error.message : 'for no known reason'}`.slice(
    0,
    500,
  )
}
