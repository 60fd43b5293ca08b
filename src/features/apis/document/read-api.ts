import { createHash } from 'node:crypto'
import { lintWords } from '../../../core/gateway/lint-words.ts'
import type { LintFinding } from '../../../core/gateway/tool-pin.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { canonicalJson } from '../../../core/kernel/json/canonical-json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type {
  DocumentFacts,
  ApiFinding,
  JsonObject,
  Method,
  ApiOperation,
  ReadApi,
  ReadOperation,
} from '../model.ts'
import { toOperationNames } from './names.ts'
import { readOperation, type DocumentScope } from './operation/read-operation.ts'
import { parseText, unreadable } from './parse-text.ts'
import { readSchemes } from './read-schemes.ts'
import { readServers, readSwaggerServers } from './read-servers.ts'
import { createReferences, type References } from './references.ts'
import { listIn, recordIn, scalarIn, textIn } from './values.ts'

/** More operations than any known API has. */
const mostOperations = 5000

const methods: Readonly<Record<string, Method>> = {
  get: 'GET',
  head: 'HEAD',
  options: 'OPTIONS',
  put: 'PUT',
  post: 'POST',
  patch: 'PATCH',
  delete: 'DELETE',
}

/** The text of a document, and its address if it has one. */
export interface DocumentText {
  text: string
  url?: string
}

/** Reads a document into operations. Throws only if the text is not a document at all. */
export async function readApi({ text, url }: DocumentText): Promise<ReadApi> {
  const root = await parseText(text)
  const format = formatOf(root)
  const references = createReferences(root)
  const isSwagger = format.startsWith('2')
  const servers = isSwagger ? readSwaggerServers(root, url) : readServers(listOfServers(root), url)
  const schemes = readSchemes(references)
  const surroundings = { references, schemes, isSwagger, origin: url, server: servers[0] }
  const { operations, findings } = readOperations(surroundings)
  const facts = { ...toFacts(root, format), servers, schemes }
  return {
    hash: createHash('sha256').update(text).digest('hex'),
    facts: { ...facts, findings: [...findings, ...documentFindings(facts)] },
    operations: operations.map(toReadOperation),
  }
}

function toReadOperation(read: ApiOperation): ReadOperation {
  const { findings, fault: _fault, ...words } = read
  const plain = JSON.parse(JSON.stringify(words)) as JsonObject
  const hash = createHash('sha256').update(canonicalJson(plain)).digest('hex')
  const { outputSchema = null, ...seen } = plain
  // Apart, so that what the model is not shown can't fill the list of findings.
  const lint = lintWords(seen)
  const isHidden = [...lint, ...lintWords({ outputSchema })].some(({ kind }) => kind === 'hidden')
  const definition = { ...read, findings: [...findings, ...toFindings(lint)] }
  return { hash, definition, ...(isHidden && { hasHidden: true }) }
}

/** Words that people do not see, or that speak to the model: the first of each kind. */
function toFindings(lint: readonly LintFinding[]): ApiFinding[] {
  const kinds = [...new Set(lint.map(({ kind }) => kind))]
  return kinds.flatMap((kind) => {
    const first = lint.find((one) => one.kind === kind)
    return first === undefined ? [] : [{ message: `Its text at ${first.path} ${first.message}` }]
  })
}

function formatOf(root: JsonObject): string {
  const openapi = scalarIn(root, 'openapi')
  const version = openapi ?? scalarIn(root, 'swagger') ?? ''
  if (openapi !== undefined && /^3(?:\.[012])?(?:\.|$)/.test(version)) return version.slice(0, 20)
  if (openapi === undefined && /^2(?:\.0)?$/.test(version)) return '2.0'
  if (version === '') throw unreadable('it has neither openapi nor swagger')
  throw unreadable(`its version is ${version.slice(0, 20)}`)
}

/** Some documents name servers at their paths alone. Without any, an API is where its document is. */
function listOfServers(root: JsonObject) {
  const servers = listIn(root, 'servers')
  if (servers.length > 0) return servers
  const ofPaths = Object.values(recordIn(root, 'paths')).flatMap((item) => listIn(item, 'servers'))
  return ofPaths.length > 0 ? ofPaths : [{ url: '/' }]
}

function toFacts(root: JsonObject, format: string): Omit<DocumentFacts, 'servers' | 'schemes'> {
  const info = recordIn(root, 'info')
  return {
    title: textIn(info, 'title') ?? 'API',
    version: (scalarIn(info, 'version') ?? '').slice(0, 100),
    description: textIn(info, 'description', 2000) ?? '',
    format,
    findings: [],
  }
}

function documentFindings({ servers, schemes }: DocumentFacts): ApiFinding[] {
  const unknown = schemes.filter(({ kind }) => kind === 'unsupported').map(({ name }) => name)
  return [
    ...(servers.length === 0
      ? [{ message: 'The document names no server: give the address of the API' }]
      : []),
    ...(unknown.length > 0
      ? [{ message: `Signing in by ${unknown.join(', ')} is not supported`.slice(0, 500) }]
      : []),
  ]
}

function readOperations(surroundings: DocumentScope): {
  operations: ApiOperation[]
  findings: ApiFinding[]
} {
  const { references } = surroundings
  const found = findOperations(references)
  const kept = found.slice(0, mostOperations)
  const names = toOperationNames(
    kept.map(({ operation, method, path }) => {
      return { method, path, operationId: textIn(operation, 'operationId', 1000) }
    }),
  )
  const operations = kept.map((placed, index) =>
    readOperation({ ...placed, name: names[index] ?? '' }, surroundings),
  )
  const beyond = found.length - kept.length
  const message = `Only the first ${mostOperations} operations are read; ${beyond} are left out`
  return { operations, findings: beyond > 0 ? [{ message }] : [] }
}

function findOperations(references: References) {
  const paths = Object.entries(recordIn(references.root, 'paths'))
  if (paths.length === 0 && !isRecord(references.root['paths'])) {
    throw new ToolError('invalid_request', 'The document has no paths, so there is nothing to call')
  }
  return paths.flatMap(([path, given]) => {
    const pathItem = pathItemOf(references, given)
    return Object.entries(methods).flatMap(([key, method]) => {
      const operation = recordIn(pathItem, key)
      const isThere = isRecord(pathItem[key])
      return isThere && path.startsWith('/') ? [{ path, method, operation, pathItem }] : []
    })
  })
}

/** A path that refers to another document can’t be read at all: nothing of it is known. */
function pathItemOf(references: References, given: unknown): JsonObject {
  try {
    return references.follow(given as JsonObject) ?? {}
  } catch {
    return {}
  }
}
