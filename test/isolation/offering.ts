import type { OpenCrib } from '../../src/app/open-crib.ts'
import type { Operation } from '../../src/core/operations/operation.ts'
import { type OpenOperation, openOperations } from '../../src/core/operations/run-operation.ts'
import { createHttpApp, type HttpApp } from '../../src/doors/http/create-http-app.ts'
import { operations } from '../../src/features/operations.ts'

type Operations = Readonly<Record<string, Operation>>

/** The HTTP door of a crib with operations that it does not have otherwise. */
export function offering(
  { api }: Pick<OpenCrib, 'api'>,
  extra: Operations,
  opened: Readonly<Record<string, OpenOperation>> = openOperations(extra, {}),
): HttpApp {
  const runOperation: OpenCrib['api']['runOperation'] = async (name, caller, request) =>
    opened[name] === undefined
      ? api.runOperation(name, caller, request)
      : opened[name].run(caller, request)
  const offered = { ...operations, ...extra }
  return createHttpApp({ api: { ...api, runOperation }, version: 'test', operations: offered })
}
