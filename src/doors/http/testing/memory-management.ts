import { asAgent } from '../../../core/kernel/caller.ts'
import type { CoreApi, ToolDetail, ToolListing } from '../../../core/crib-api.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BackupApi } from '../../../core/backup/backup.ts'
import type { SignInDoor } from '../../../core/sign-in/sign-in.ts'
import { memorySettings } from './memory-settings.ts'
import { memoryUploads } from './memory-uploads.ts'
import { memoryLibrary } from './memory-library.ts'
import { memoryMcpServers } from './memory-mcp-servers.ts'
import { memoryExplain } from './memory-explain.ts'
import { memoryTools } from './memory-tools.ts'

type Management = Omit<
  CoreApi,
  | keyof SignInDoor
  | 'runOperation'
  | 'authenticate'
  | 'actIn'
  | 'call'
  | 'findCall'
  | 'listCalls'
  | 'cancel'
  | 'rerun'
  | 'readArtifact'
  | 'complete'
  | 'reportProgress'
  | 'readEvents'
  | 'endOfEvents'
  | 'followEvents'
  | 'followChanges'
  | 'watchEvents'
>

/** The parts of the memory crib that are not about calls. */
export function memoryManagement(health: { status: 'ok' | 'failing' }): Management {
  const listings = memoryTools.map(({ listing }) => listing)
  return {
    watchAccess: () => () => undefined,
    ...memorySettings(),
    ...memoryUploads(),
    ...memoryExplain(),
    ...memoryLibrary(),
    ...memoryMcpServers(),
    listTools: async (caller, query) => {
      asAgent(caller, query)
      const fits = listings.filter(({ name }) => query.q === undefined || name.includes(query.q))
      const items = fits.filter(({ pack }) => query.pack === undefined || pack === query.pack)
      return { items: items.slice(0, query.limit) }
    },
    countTools: async () => ({ total: listings.length, packs: [] }),
    findTool: async (caller, name, query = {}) => {
      asAgent(caller, query)
      const listing = listings.find((candidate) =>
        [candidate.name, candidate.wireName].includes(name),
      )
      if (listing === undefined) throw new ToolError('tool_not_found', `There is no tool ${name}`)
      return toDetail(listing)
    },
    ...memoryBackup(),
    loadReports: () => [],
    listToolFileProblems: async () => [],
    health: async () => ({
      status: health.status,
      version: '0.0.0',
      store: 'pglite',
      checks: { store: { ok: health.status === 'ok', message: 'host db.internal:5432' } },
    }),
    metrics: async () => '# TYPE toolcrib_calls_total counter\ntoolcrib_calls_total 1\n',
  }
}

function memoryBackup(): BackupApi {
  async function* pieces() {
    yield new TextEncoder().encode('an archive')
  }
  return {
    createBackup: async () => ({ name: 'backup', pieces: pieces(), close: async () => undefined }),
  }
}

function toDetail(listing: ToolListing): ToolDetail {
  const { name, title, description, effect, pack, source } = listing
  const facts = { name, title, description, effect, pack, source }
  return {
    ...listing,
    contract: {
      ...facts,
      icon: undefined,
      idempotent: false,
      openWorld: false,
      inputSchema: { type: 'object' },
      outputSchema: undefined,
      optionsSchema: undefined,
      examples: [{ label: 'Nothing', input: {} }],
      secrets: [],
      env: [],
      permission: undefined,
      approval: 'auto',
      tenants: [],
      runtimes: [],
      execution: 'inline',
      isolation: 'inline',
      timeoutMs: 30_000,
      completionMs: 86_400_000,
      concurrency: undefined,
      maxOutputBytes: 51_200,
      retries: 0,
      cost: 0,
      sections: [],
      form: undefined,
      view: undefined,
      collaborative: false,
      aliases: [],
    },
    portability: [],
    warnings: [],
  }
}
