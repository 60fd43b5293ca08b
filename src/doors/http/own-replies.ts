import type { AuditEntry } from '../../core/audit/audit-filter.ts'
import { toCsvHeader, toCsvRow } from '../../features/audit/to-csv.ts'
import type { ArtifactPage } from '../../core/kernel/artifact.ts'
import type { CallResult } from '../../core/kernel/call.ts'
import type { ConversationFile, Run } from '../../core/conversations/conversation-api.ts'
import type { BackupStream } from '../../core/backup/backup.ts'
import type { McpServer } from '../../features/mcp-servers/schemas.ts'
import type {
  WorkspaceArchive,
  WorkspaceFileContent,
} from '../../features/workspaces/file-operations.ts'
import type { UploadContent } from '../../features/uploads/operations.ts'
import { artifactReply } from './artifact-reply.ts'
import { toCallReply } from './call-reply.ts'
import type { OwnReply } from './operation-route.ts'
import { json, type Reply } from './reply.ts'
import { exportReply } from './streams/export-stream.ts'

/** Operations whose answer is not plain JSON, by name. */
export const ownReplies: Readonly<Record<string, OwnReply>> = {
  exportAudit(asked, pages: AsyncIterable<readonly AuditEntry[]>) {
    const query = new URL(asked.request.url).searchParams
    const isCsv = query.get('format') === 'csv'
    const hasHeader = isCsv && !query.has('after')
    const day = new Date().toISOString().slice(0, 10)
    return exportReply(asked, {
      pieces: toPieces(pages, { isCsv, hasHeader }),
      type: isCsv ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
      filename: `audit-${day}.${isCsv ? 'csv' : 'jsonl'}`,
    })
  },
  async createBackup(asked, { name, pieces, close }: BackupStream) {
    const file = { pieces, type: 'application/x-tar', filename: `${name}.tar` }
    try {
      return exportReply(asked, { ...file, onEnd: () => void close() })
    } catch (error) {
      await close()
      throw error
    }
  },
  startRun: (_asked, run: Run) => json(202, run, ['location', `/api/v1/runs/${run.id}`]),
  readConversationFile: (_asked, { mediaType, bytes }: ConversationFile) => ({
    status: 200,
    type: mediaType,
    body: new Uint8Array(bytes),
    // Somebody's upload is not our page: a browser saves it, and runs nothing of it.
    headers: ['content-disposition', 'attachment'],
  }),
  addMcpServer: (_asked, added: McpServer) =>
    json(201, added, ['location', `/api/v1/mcp-servers/${encodeURIComponent(added.name)}`]),
  readArtifact: ({ request }, page: ArtifactPage) => artifactReply(page, request.header('accept')),
  rerunCall: ({ requestId }, result: CallResult) => toCallReply(result, requestId),
  readUpload: (_asked, { upload, content }: UploadContent) => fileReply(upload, content),
  readWorkspaceFile: (_asked, { entry, content }: WorkspaceFileContent) => ({
    ...fileReply(
      {
        name: entry.path.split('/').at(-1) ?? '',
        mediaType: 'application/octet-stream',
        bytes: entry.bytes,
      },
      content,
    ),
    // A reader may hang up before the first byte.
    onClose: () => void content.return?.(),
  }),
  downloadWorkspace: (asked, { name, content }: WorkspaceArchive) =>
    exportReply(asked, { pieces: content, type: 'application/zip', filename: name }),
}

async function* toPieces(
  pages: AsyncIterable<readonly AuditEntry[]>,
  { isCsv, hasHeader }: { isCsv: boolean; hasHeader: boolean },
): AsyncGenerator<string> {
  const toLine = isCsv ? toCsvRow : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`
  if (hasHeader) yield toCsvHeader()
  for await (const entries of pages) yield entries.map(toLine).join('')
}

interface SentFile {
  name: string
  mediaType: string
  bytes: number
}

function fileReply(
  { name, mediaType, bytes }: SentFile,
  content: AsyncIterable<Uint8Array>,
): Reply {
  // Names may use any script; the plain one is for clients without support for that.
  const plain = name.replaceAll(/[^\w. -]/g, '_')
  return {
    status: 200,
    type: mediaType,
    body: ReadableStream.from(content),
    headers: [
      'content-length',
      String(bytes),
      // Somebody's file is not our page: a browser saves it, and runs nothing of it.
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeName(name)}`,
    ],
    contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
