import { z } from 'zod'
import type { WorkspaceDisk } from '../../core/host/workspace-disk.ts'
import type { ToolContract } from '../../core/kernel/tool.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import { shippedGroups } from '../../core/patterns/groups.ts'
import { compilePatterns } from '../../core/patterns/patterns.ts'
import type { WorkspaceAccess } from '../../core/pipeline/ports.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { Engine } from '../../store/engine/engine.ts'
import type { Feature } from '../feature.ts'
import type { WorkspacesConfig } from './config.ts'
import { attachmentOperations } from './attachment-operations.ts'
import { workspaceFileOperations } from './file-operations.ts'
import { type OpenWorkspaces, openWorkspaces } from './open-workspaces.ts'
import { workspaceOperations } from './operations.ts'
import { createSweep } from './remove-unused.ts'
import { createWorkspaceStore } from './store/workspace-store.ts'
import type { FindAgentWorkspace } from './workspace-owner.ts'
import { workspaceCapability } from './work-in-workspace.ts'

const operations = {
  ...workspaceOperations,
  ...workspaceFileOperations,
  ...attachmentOperations,
}

/** Folders in which tools and agents work, one for each session. */
export const workspacesFeature: Feature = {
  name: 'workspaces',
  open({
    workspaces,
    ports,
    store: { uploads, conversations },
    config,
    host,
    isTenantOpen,
    now,
    onWarning,
  }) {
    const parts = { workspaces, uploads, conversations, config: config.workspaces }
    const { mayAsk } = ports.workspaceAccess
    const run = createSweep({ ...parts, disk: host.disk, isTenantOpen, now, onWarning })
    return {
      operations: openOperations(operations, parts),
      capabilities: { workspace: workspaceCapability({ workspaces, mayAsk }) },
      sweeps: [{ name: 'unused workspaces', everyMs: 300_000, isWoken: false, run }],
      close: () => workspaces.close(),
    }
  },
}

interface AccessParts {
  engine: Engine
  host: { disk(): Promise<WorkspaceDisk> }
  config: WorkspacesConfig
  rules: Pick<TenantRules, 'findView'>
  now(): number
  onWarning(message: string): void
}

/** Opens before the features: decisions read the mode of workspaces, and the sandbox its folder. */
export function openWorkspaceAccess({ engine, host, config, rules, ...rest }: AccessParts): {
  workspaces: OpenWorkspaces
  workspaceAccess: WorkspaceAccess
} {
  const store = createWorkspaceStore(engine)
  const findAgent = createFindAgent(rules)
  const workspaces = openWorkspaces({ store, disk: host.disk, config, findAgent, ...rest })
  const asking = compilePatterns(config.asks, shippedGroups)
  const mayAsk = ({ name, pack, effect }: ToolContract) =>
    effect !== 'read' && asking.find({ name, pack }) !== undefined
  return { workspaces, workspaceAccess: { mayAsk, modeFor: workspaces.modeFor } }
}

const { workspaceMode, subagentWorkspace } = agentSchema.shape
/** Every call of an agent asks, so the rest of the agent is not read. */
const agentWorkspace = z.object({ workspaceMode, subagentWorkspace })

function createFindAgent({ findView }: Pick<TenantRules, 'findView'>): FindAgentWorkspace {
  return async (tenant, slug) => {
    const found = await (await findView(tenant))?.agent(slug)
    return agentWorkspace.safeParse(found?.agent.body).data
  }
}
