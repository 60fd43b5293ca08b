import type { CoreApi } from '../core/crib-api.ts'
import type { Caller } from '../core/kernel/call.ts'
import { toRequest } from '../core/operations/run-operation.ts'
import { operations, type FeatureApi } from './operations.ts'

type Input<Name extends keyof FeatureApi> = NonNullable<Parameters<FeatureApi[Name]>[1]>

/** The caller, and the deadline. */
interface Asking {
  api: Pick<CoreApi, 'runOperation'>
  caller: Caller
  signal?: AbortSignal
}

/** Runs an operation for a door, with the types of its library method. */
export function askOperation<Name extends keyof FeatureApi>(
  { api, caller, signal }: Asking,
  name: Name,
  input: Input<Name>,
): ReturnType<FeatureApi[Name]> {
  const request = { ...toRequest(operations[name], input), ...(signal && { signal }) }
  return api.runOperation(name, caller, request) as ReturnType<FeatureApi[Name]>
}
