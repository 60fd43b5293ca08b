import type { Tone } from '../ui/tag.tsx'
import type { WorkspaceMode } from './workspace-types.ts'

/** The mode of a workspace, in words. */
export const modeWords: Record<WorkspaceMode, { label: string; help: string; tone: Tone }> = {
  'read-only': {
    label: 'Read-only',
    help: 'Files can be read, but nobody changes them: no agent and no person.',
    tone: 'plain',
  },
  ask: { label: 'Ask', help: 'Changes by agents need approval.', tone: 'ask' },
  free: { label: 'Free', help: 'Agents change files without asking.', tone: 'write' },
}
