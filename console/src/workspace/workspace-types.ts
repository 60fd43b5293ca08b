import type { Api } from '../api/client.ts'

export type WorkspaceFacts = Api<'Workspace'>
export type WorkspaceFile = Api<'WorkspaceEntry'>
export type WorkspaceChange = Api<'ChangedFile'>

/** Who may change files in it, and whether a person has to agree first. */
export const workspaceModes = ['read-only', 'ask', 'free'] as const
export type WorkspaceMode = WorkspaceFacts['mode']
