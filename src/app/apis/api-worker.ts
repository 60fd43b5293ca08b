import { parentPort } from 'node:worker_threads'
import { isToolError } from '../../core/kernel/errors.ts'
import { readApi } from '../../features/apis/document/read-api.ts'
import type { ReadOperation } from '../../features/apis/model.ts'
import type { ReadAnswer, ReadOrder } from '../../features/apis/document/worker-messages.ts'

/** Small enough to be taken in within a few milliseconds. */
const operationsAtOnce = 40

/** Runs in the thread that reads one document. */
export function startApiWorker(): void {
  if (parentPort === null) throw new Error('startApiWorker runs in a worker thread')
  const port = parentPort
  const send = (answer: ReadAnswer) => port.postMessage(answer, [])
  port.once('message', (order: ReadOrder) => {
    send({ kind: 'begun' })
    answer(order, send).catch((error: unknown) => send(toFailure(error)))
  })
}

async function answer({ bytes, url, isPreview }: ReadOrder, send: (answer: ReadAnswer) => void) {
  const text = new TextDecoder().decode(bytes)
  const { operations, ...api } = await readApi({ text, ...(url !== undefined && { url }) })
  send({ kind: 'api', api })
  for (let from = 0; from < operations.length; from += operationsAtOnce) {
    const some = operations.slice(from, from + operationsAtOnce)
    send({ kind: 'operations', operations: isPreview === true ? some.map(withoutSchemas) : some })
  }
  send({ kind: 'done' })
}

function withoutSchemas({ definition, ...operation }: ReadOperation): ReadOperation {
  const { outputSchema: _output, ...rest } = definition
  return { ...operation, definition: { ...rest, inputSchema: {}, parameters: [] } }
}

function toFailure(error: unknown): ReadAnswer {
  if (isToolError(error)) {
    const { code, message, fix } = error
    return { kind: 'failed', code, message, ...(fix !== undefined && { fix }) }
  }
  const reason = error instanceof Error ? error.message : String(error)
  return {
    kind: 'failed',
    code: 'invalid_request',
    message: `The document can not be read: ${reason}`,
  }
}
