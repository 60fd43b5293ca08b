import type { Caller } from '../core/kernel/call.ts'
import { ToolError } from '../core/kernel/errors.ts'
import {
  toApi,
  type OpenOperation,
  type OperationRequest,
} from '../core/operations/run-operation.ts'
import { startSweeps } from '../engine/sweeps.ts'
import type { FeatureDoors, Kernel, OpenFeature } from '../features/feature.ts'
import { features } from '../features/features.ts'
import { operations, type FeatureApi } from '../features/operations.ts'

/** The operations of all features. Each feature adds its own when it opens. */
export interface OperationBook {
  api: FeatureApi
  /** Runs an operation for a door that has read a request. */
  run(name: string, caller: Caller, request: OperationRequest): Promise<unknown>
  add(opened: Readonly<Record<string, OpenOperation>>): void
}

/** Operations find each other here by name, so features do not depend on the order they open in. */
export function createOperationBook(): OperationBook {
  const opened: Record<string, OpenOperation> = {}
  return {
    api: toApi(operations, opened),
    async run(name, caller, request) {
      const operation = opened[name]
      if (operation === undefined) throw new ToolError('not_found', `There is no operation ${name}`)
      return operation.run(caller, request)
    },
    add: (more) => void Object.assign(opened, more),
  }
}

/** All features, opened. */
export interface OpenFeatures {
  doors: FeatureDoors
  stop(): Promise<void>
}

/** Opens every feature in the order of the list. */
export function openFeatures(
  given: Omit<Kernel, 'dropAgent'>,
  book: Pick<OperationBook, 'add'>,
): OpenFeatures {
  const opened: OpenFeature[] = []
  const kernel: Kernel = {
    ...given,
    async dropAgent(caller, slug) {
      for (const { dropAgent } of opened) await dropAgent?.(caller, slug)
    },
  }
  for (const feature of features) opened.push(feature.open(kernel))
  for (const { operations: own } of opened) book.add(own)
  const sweeps =
    kernel.isServer &&
    startSweeps(
      opened.flatMap((one) => one.sweeps ?? []),
      kernel.onWarning,
    )
  return {
    doors: Object.assign({}, ...opened.map(({ door }) => door)) as FeatureDoors,
    async stop() {
      if (sweeps) await sweeps.stop()
      for (const { stop } of opened.toReversed()) await stop?.()
    },
  }
}
