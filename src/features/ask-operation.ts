import type { CoreApi } from '../core/crib-api.ts'
import type { Caller } from '../core/kernel/call.ts'
import { toRequest } from '../core/operations/run-operation.ts'
import { operations, type FeatureApi } from './operations.ts'

type Input<Name extends keyof FeatureApi> = NonNullable<Parameters<FeatureApi[Name]>[1]>

/** Runs an operation for a door, with the types of its library method. */
export function askOperation<Name extends keyof FeatureApi>(
  { api, caller }: { api: Pick<CoreApi, 'runOperation'>; caller: Caller },
  name: Name,
  input: Input<Name>,
): ReturnType<FeatureApi[Name]> {
  const request = toRequest(operations[name], input)
  return api.runOperation(name, caller, request) as ReturnType<FeatureApi[Name]>
}
