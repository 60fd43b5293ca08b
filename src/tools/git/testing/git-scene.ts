import { afterAll, afterEach, beforeEach } from 'vitest'
import type { Web } from '../../../core/kernel/context/web.ts'
import type { Tool } from '../../../core/kernel/tool.ts'
import { openNetwork } from '../../../host/network/open-network.ts'
import { runTool } from '../../../testing/run-tool.ts'
import { keepArtifacts } from '../../../testing/temp-artifacts.ts'
import { startsProcesses } from '../../../testing/temp-processes.ts'
import { openTempWorkspace, type TempWorkspace } from '../../file/testing/temp-workspace.ts'
import { addRepository, type GitServer, startGitServer } from './git-server.ts'

/** A git server that asks for a token, and an empty workspace: new ones for each test of a file. */
export interface GitScene {
  readonly server: GitServer
  readonly workspace: TempWorkspace
  readonly token: string
  /** The guarded client, which reaches the test's servers by the operator's leave. */
  readonly web: Web
  /** The repository of the scene, or another one of the server. */
  url(name?: string): string
  /** Runs a tool with all that it needs; `more` replaces some of it. */
  run<Input, Output>(tool: Tool<Input, Output>, input: Input, more?: object): Promise<Output>
}

/** The server has one repository with these files. */
export function useGitScene(name: string, files: Readonly<Record<string, string>>): GitScene {
  const token = 'secret-token-of-the-server'
  let server: GitServer
  let workspace: TempWorkspace
  beforeEach(async () => {
    server = await startGitServer({ user: 'x-access-token', token })
    await addRepository(server, name, files)
    workspace = await openTempWorkspace()
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    await workspace[Symbol.asyncDispose]()
  })
  const network = openNetwork({ addresses: ['127.0.0.1'], ports: [] })
  afterAll(() => network.close())
  const web: Web = {
    fetch: network.fetchFor({ key: 'git' }),
    readPage: () => Promise.reject(new Error('not used')),
  }
  return {
    get server() {
      return server
    },
    get workspace() {
      return workspace
    },
    token,
    web,
    url: (other = name) => `${server.origin}/${other}`,
    run(tool, input, more = {}) {
      const secrets = { git_token: token, git_host: server.origin }
      const processes = startsProcesses(workspace.folder)
      const given = { workspace, processes, web, artifacts: keepArtifacts(), secrets }
      return runTool(tool, input, { ...given, ...more }).then(({ output }) => output)
    },
  }
}
