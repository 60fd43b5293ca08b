import type { Api } from '../api/client.ts'

export type WorkspaceFacts = Api<'Workspace'>
export type WorkspaceFile = Api<'WorkspaceEntry'>
export type WorkspaceChange = Api<'ChangedFile'>

/** The permission of agents to change files: never, after approval, or without asking. */
export const workspaceModes = ['read-only', 'ask', 'free'] as const
export type WorkspaceMode = WorkspaceFacts['mode']
