import type { WorkspaceProcess } from '../processes/process-queries.ts'
import type { WorkspaceChange, WorkspaceFacts } from '../workspace-types.ts'

interface Asked {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

/** A server with one workspace, in the place of the real one while a test runs. */
export interface WorkspaceServer {
  workspace: WorkspaceFacts
  files: Map<string, string>
  changes: WorkspaceChange[]
  processes: WorkspaceProcess[]
  output: { stdout: string; stderr: string }
  asked: Asked[]
  /** Every request fails with this. */
  problem?: { status: number; code: string; detail: string }
}

const at = '2026-11-19T10:00:00.000Z'

export function createWorkspaceServer(): WorkspaceServer {
  return {
    workspace: {
      id: 'wsp_1',
      sessionId: 'conv_1',
      agent: 'analyst',
      principal: { kind: 'user', id: 'mem_1' },
      mode: 'ask',
      bytes: 4200,
      files: 4,
      maxBytes: 100_000_000,
      maxFiles: 10_000,
      createdAt: at,
      usedAt: at,
      expiresAt: '2027-01-01T00:00:00.000Z',
    },
    files: new Map(),
    changes: [],
    processes: [],
    output: { stdout: '', stderr: '' },
    asked: [],
  }
}

/** Answers requests from this server while the work runs. */
export async function withWorkspaceServer(
  server: WorkspaceServer,
  work: () => Promise<void>,
): Promise<void> {
  const real = window.fetch
  window.fetch = async (input) => answer(server, input as Request)
  try {
    await work()
  } finally {
    window.fetch = real
  }
}

async function answer(server: WorkspaceServer, request: Request): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url)
  const path = pathname.replace('/api/v1/workspaces/wsp_1', '')
  const body = request.method === 'GET' ? undefined : await request.text()
  server.asked.push({ method: request.method, path, query, body })
  if (server.problem !== undefined) {
    const { status, ...problem } = server.problem
    return Response.json({ status, ...problem }, { status })
  }
  const route = routes[`${request.method} ${path.replace(/\d+/, ':pid')}`]
  return route?.({ server, query, body: body ?? '' }) ?? Response.json({}, { status: 404 })
}

interface Handed {
  server: WorkspaceServer
  query: URLSearchParams
  body: string
}

const routes: Record<string, (handed: Handed) => Response> = {
  'GET /files': ({ server, query }) => Response.json(listFolder(server, query.get('path') ?? '')),
  'GET /file': ({ server, query }) => new Response(server.files.get(query.get('path') ?? '')),
  'PUT /file'({ server, query, body }) {
    server.files.set(query.get('path') ?? '', body)
    return Response.json({})
  },
  'DELETE /file'({ server, query }) {
    server.files.delete(query.get('path') ?? '')
    return Response.json({})
  },
  'GET /changes': ({ server }) => Response.json({ items: server.changes, isPartial: false }),
  'POST /accept'({ server }) {
    server.changes = []
    return Response.json({})
  },
  'GET /processes': ({ server }) => Response.json({ items: server.processes }),
  'GET /processes/:pid/output'({ server, query }) {
    const offset = Number(query.get('offset'))
    const text = server.output[query.get('stream') === 'stderr' ? 'stderr' : 'stdout']
    const isEnd = server.processes.every(({ state }) => state !== 'running')
    return Response.json({ text: text.slice(offset), next: text.length, dropped: 0, isEnd })
  },
  'POST /processes/:pid/kill'({ server }) {
    server.processes = server.processes.map((one) => ({
      ...one,
      state: 'killed',
      signal: 'SIGTERM',
      endedAt: at,
    }))
    return Response.json(server.processes[0])
  },
  'PATCH '({ server, body }) {
    server.workspace = { ...server.workspace, ...(JSON.parse(body) as Partial<WorkspaceFacts>) }
    return Response.json(server.workspace)
  },
}

function listFolder({ files }: WorkspaceServer, folder: string) {
  const prefix = folder === '' ? '' : `${folder}/`
  const items = new Map<string, object>()
  for (const [path, text] of files) {
    if (!path.startsWith(prefix)) continue
    const [name = '', ...rest] = path.slice(prefix.length).split('/')
    const kind = rest.length > 0 ? 'folder' : 'file'
    items.set(name, { path: prefix + name, kind, bytes: text.length, modifiedAt: at })
  }
  return { items: [...items.values()], isPartial: false }
}
