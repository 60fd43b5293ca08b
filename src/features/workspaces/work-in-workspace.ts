import type { Workspace } from '../../core/kernel/context/workspace.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ToolContract } from '../../core/kernel/tool.ts'
import type { Capability } from '../../core/pipeline/capabilities/capability.ts'
import type { OpenWorkspaces } from './open-workspaces.ts'

export interface WorkingIn {
  workspaces: OpenWorkspaces
  /** True for the tools that need approval in a workspace that asks. */
  mayAsk(contract: ToolContract): boolean
}

/** `ctx.workspace`: opened when a tool first uses it. */
export function workspaceCapability({ workspaces, mayAsk }: WorkingIn): Capability<'workspace'> {
  return ({ caller, contract, signal }) => {
    const files = async () => (await workspaces.open(caller)).files
    /** Nobody was asked about this call if its tool is not one of those that ask. */
    async function writable() {
      const { files, mode } = await workspaces.open(caller)
      if (mode === 'ask' && !mayAsk(contract)) throw unasked(contract.name)
      return files
    }
    return {
      facts: async () => (await files()).facts(),
      usage: async () => (await files()).usage(),
      stat: async (path) => (await files()).stat(path),
      list: async (path, options) => (await files()).list(path, options),
      read: async (path, options) => (await files()).read(path, options),
      glob: async (pattern, options) => (await files()).glob(pattern, options),
      grep: async (search) => (await files()).grep({ signal: signal(), ...search }),
      write: async (path, ...rest) => (await writable()).write(path, ...rest),
      edit: async (path, change) => (await writable()).edit(path, change),
      makeFolder: async (path) => (await writable()).makeFolder(path),
      move: async (from, ...rest) => (await writable()).move(from, ...rest),
      delete: async (path, options) => (await writable()).delete(path, options),
    } satisfies Workspace
  }
}

function unasked(tool: string): ToolError {
  return new ToolError(
    'denied',
    `The workspace asks before writing, and ${tool} was not asked about`,
    {
      fix: 'Add the tool to workspaces.asks of the configuration, if its effect is not read.',
    },
  )
}
