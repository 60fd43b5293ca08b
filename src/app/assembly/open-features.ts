import type { Caller } from '../../core/kernel/call.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import type { CapabilityBook } from '../../core/pipeline/capabilities/capability.ts'
import type { ToolSource } from '../../core/sources/tool-source.ts'
import type { Sweep } from '../../core/work-ports.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import {
  toApi,
  type OpenOperation,
  type OperationRequest,
} from '../../core/operations/run-operation.ts'
import type { FeatureDoors, Kernel, OpenFeature } from '../../features/feature.ts'
import { features } from '../../features/features.ts'
import { operations, type FeatureApi } from '../../features/operations.ts'

/** The operations of all features. Each feature adds its own when it opens. */
export interface OperationBook {
  api: FeatureApi
  /** Runs an operation for a door that has parsed a request. */
  run(name: string, caller: Caller, request: OperationRequest): Promise<unknown>
  add(opened: Readonly<Record<string, OpenOperation>>): void
}

/** Operations find each other by name, so features do not depend on the order they open in. */
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

/** The contributions of all features, combined. */
export interface OpenFeatures {
  doors: FeatureDoors
  sources: readonly ToolSource[]
  library: readonly LibrarySource[]
  sweeps: readonly Sweep[]
  start(): void
  stop(): Promise<void>
  close(): Promise<void>
}

interface FeatureBooks {
  operations: Pick<OperationBook, 'add'>
  capabilities: Pick<CapabilityBook, 'add'>
}

/** Opens all features in the order of the list. */
export function openFeatures(
  given: Omit<Kernel, 'dropAgent'>,
  { operations: byName, capabilities }: FeatureBooks,
): OpenFeatures {
  const opened: OpenFeature[] = []
  const kernel: Kernel = {
    ...given,
    async dropAgent(caller, slug) {
      for (const { dropAgent } of opened) await dropAgent?.(caller, slug)
    },
  }
  for (const feature of features) {
    const open = feature.open(kernel)
    byName.add(open.operations)
    capabilities.add(open.capabilities ?? {})
    opened.push(open)
  }
  return {
    doors: Object.assign({}, ...opened.map(({ door }) => door)) as FeatureDoors,
    sources: opened.flatMap(({ sources = [] }) => sources),
    library: opened.flatMap(({ library = [] }) => library),
    sweeps: opened.flatMap(({ sweeps = [] }) => sweeps),
    start() {
      for (const { start } of opened) start?.()
    },
    async stop() {
      for (const { stop } of opened.toReversed()) await stop?.()
    },
    async close() {
      for (const { close } of opened.toReversed()) await close?.()
    },
  }
}
