import type { ConversationStore } from '../../core/conversations/conversation-store.ts'
import type { UploadStore } from '../../core/uploads/upload-store.ts'
import type { WorkspacesConfig } from './config.ts'
import type { OpenWorkspaces } from './open-workspaces.ts'

/** The dependencies of the operations on workspaces. */
export interface WorkspaceOperationParts {
  workspaces: OpenWorkspaces
  uploads: UploadStore
  conversations: Pick<ConversationStore, 'find' | 'readFile'>
  config: WorkspacesConfig
}
