import type { Caller } from '../core/kernel/call.ts'
import { ToolError } from '../core/kernel/errors.ts'
import {
  toApi,
  type OpenOperation,
  type OperationRequest,
} from '../core/operations/run-operation.ts'
import type { SignInDoor } from '../core/sign-in/sign-in.ts'
import { startSweeps } from '../engine/sweeps.ts'
import type { Kernel } from '../features/feature.ts'
import { features } from '../features/features.ts'
import { operations, type FeatureApi } from '../features/operations.ts'

/** All features, opened. */
export interface OpenFeatures {
  api: FeatureApi
  /** Runs an operation for a door that has read a request. */
  runOperation(name: string, caller: Caller, request: OperationRequest): Promise<unknown>
  signIn: SignInDoor
  stop(): Promise<void>
}

/** Opens every feature in the order of the list. */
export function openFeatures(given: Omit<Kernel, 'dropAgent'>): OpenFeatures {
  const kernel: Kernel = {
    ...given,
    async dropAgent(caller, slug) {
      for (const { dropAgent } of opened) await dropAgent?.(caller, slug)
    },
  }
  const opened = features.map((feature) => feature.open(kernel))
  const running = Object.assign({}, ...opened.map(({ operations: one }) => one)) as Record<
    string,
    OpenOperation
  >
  const sweeps =
    kernel.isServer &&
    startSweeps(
      opened.flatMap((one) => one.sweeps ?? []),
      kernel.onWarning,
    )
  const signIn = opened.find((one) => one.signIn !== undefined)?.signIn
  if (signIn === undefined) throw new Error('No feature signs people in')
  return {
    api: toApi(operations, running),
    signIn,
    async runOperation(name, caller, request) {
      const operation = running[name]
      if (operation === undefined) throw new ToolError('not_found', `There is no operation ${name}`)
      return operation.run(caller, request)
    },
    async stop() {
      if (sweeps) await sweeps.stop()
      for (const { stop } of opened.toReversed()) await stop?.()
    },
  }
}
