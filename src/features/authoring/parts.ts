import type { Caller } from '../../core/kernel/call.ts'
import type { Store } from '../../core/ports.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { ScheduleStore } from '../schedules/schedule-store.ts'
import type { VersionStore } from '../versions/version-store.ts'
import type { AuthoringConfig } from './config.ts'
import type { SpecKind } from './kinds/spec-kind.ts'
import type { ReservedPacks } from './model/compile-document.ts'
import type { RecordPorts } from './record/read-record.ts'
import type { AuthoredTools } from './source/authored-tools.ts'

/** The dependencies of the operations on authored tools. */
export interface AuthoringParts {
  store: Pick<Store, 'rules'>
  versions: VersionStore
  /** To find those that call a tool. */
  schedules: Pick<ScheduleStore, 'list'>
  registry: Pick<Registry, 'find' | 'list' | 'wireNames'>
  rules: TenantRules
  source: Pick<AuthoredTools, 'documentsOf'>
  kinds: readonly SpecKind[]
  settings: AuthoringConfig
  ports: PipelinePorts
  /** Calls and conversations, of which tools are made. */
  records: RecordPorts
  reserved(): ReservedPacks
  scopeFor(caller: Caller): Scope | Promise<Scope>
}
