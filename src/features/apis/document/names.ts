import { createHash } from 'node:crypto'
import type { Method } from '../model.ts'

/** Room for a hash within the length that every part of a tool’s name may have. */
const longest = 96
const hashDigits = 8

export interface OperationIdentity {
  method: Method
  path: string
  operationId: string | undefined
}

/**
 * The names of operations, in their order: from the operation id, or from verb and path. Where two
 * would meet, each gets a hash of its own verb and path, so that a name never depends on the order
 * of the document.
 */
export function toOperationNames(operations: readonly OperationIdentity[]): string[] {
  const plain = operations.map(toPlainName)
  const counts = new Map<string, number>()
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  const taken = new Set(plain)
  return operations.map((operation, index) => {
    const name = plain[index] ?? ''
    if (counts.get(name) === 1) return name
    const own = withHash(name, operation)
    return taken.has(own) ? withHash(own, operation) : own
  })
}

function toPlainName(operation: OperationIdentity): string {
  const { method, path, operationId } = operation
  const fromId = operationId === undefined ? '' : toWord(operationId)
  const name = fromId === '' ? toWord(`${method.toLowerCase()}_${path}`) : fromId
  return name.length <= longest ? name : withHash(name, operation)
}

/** The usual separators of ids become dots; whatever else no name may have becomes `_`. */
function toWord(text: string): string {
  return text
    .replaceAll(/\/(?=\{)|[{}]+/g, '_')
    .replaceAll('/', '.')
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/_*\._*/g, '.')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[_.-]+|[_.-]+$/g, '')
}

function withHash(name: string, { method, path, operationId = '' }: OperationIdentity): string {
  const identity = `${method} ${path} ${operationId}`
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, hashDigits)
  return `${name.slice(0, longest - hashDigits - 1)}_${hash}`
}
