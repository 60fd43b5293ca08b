import type { JsonSchema, JsonValue } from '../../core/kernel/json.ts'
import type { Effect } from '../../core/kernel/tool.ts'

export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** How a value is written in an address or a header, as OpenAPI names it; `json` is its text as JSON. */
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'tabDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'json'

export interface ParameterWriting {
  style: ParameterStyle
  explode: boolean
  /** Characters such as `/` and `:` stay as they are. */
  allowReserved?: boolean
}

/** One parameter of an operation. */
export interface OperationParameter extends ParameterWriting {
  /** Its key in the input of the tool. */
  field: string
  /** Its name in the request. */
  name: string
  in: ParameterPlace
}

/** A field of the body that became a field of the input. */
export interface BodyField {
  field: string
  name: string
  writing?: ParameterWriting
  /** Media type of this part of a multipart body. */
  mediaType?: string
  /** `one` file, or a list of them. */
  file?: 'one' | 'many'
}

/** How the input becomes the body of a request. */
export interface OperationBody {
  mediaType: string
  kind: 'json' | 'form' | 'multipart' | 'text' | 'file'
  isRequired: boolean
  /** The whole body is in this field of the input. */
  field?: string
  /** Or it is made of these. */
  fields?: BodyField[]
}

/** Something about an operation that its users should know; it becomes a tool nevertheless. */
export interface ApiFinding {
  message: string
}

/** One operation of a document: all that its tool needs, as data. Its hash is what people accept. */
export interface ApiOperation {
  /** The last part of `api:<name>:<operation>`. */
  name: string
  title: string
  description: string
  method: Method
  path: string
  /** Where it differs from the document’s own. */
  server?: string
  tags: string[]
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  parameters: OperationParameter[]
  body?: OperationBody
  /** Media types for the header `accept`. */
  accept: string[]
  /** Alternatives, each with the names of the schemes that are needed together. */
  security: string[][]
  findings: ApiFinding[]
  /** Why it can’t be a tool. */
  fault?: string
}

/** One way to sign requests, under its name in the document. */
export type AuthScheme =
  | { name: string; kind: 'key'; in: 'header' | 'query' | 'cookie'; parameter: string }
  | { name: string; kind: 'bearer' | 'basic' }
  | { name: string; kind: 'unsupported'; type: string }

/** The facts of a document besides its operations. */
export interface DocumentFacts {
  title: string
  version: string
  description: string
  /** The version of OpenAPI or Swagger. */
  format: string
  /** Absolute addresses; the first is used. */
  servers: string[]
  schemes: AuthScheme[]
  /** About the document as a whole. */
  findings: ApiFinding[]
}

/** An operation as it was read, under the hash of what people accept. */
export interface ReadOperation {
  /** SHA-256 of the definition without our findings about it. */
  hash: string
  definition: ApiOperation
  /** Its words hold characters that people do not see. */
  hasHidden?: true
}

/** A document as it was read. */
export interface ReadApi {
  /** SHA-256 of its text. */
  hash: string
  facts: DocumentFacts
  operations: ReadOperation[]
}

/** The effect that the verb promises; operators may raise it. */
export function effectOf(method: Method): Effect {
  if (method === 'DELETE') return 'destructive'
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write'
}

/** Any part of a document. */
export type Json = JsonValue
export type JsonObject = { [key: string]: JsonValue }
