import type { Tone } from '../../../ui/tag.tsx'
import type { SandboxState } from './sandbox-query.ts'

export const drivers: Record<SandboxState['driver'], string> = {
  bwrap: 'Linux namespaces, with Bubblewrap',
  docker: 'Docker containers',
  seatbelt: 'macOS Seatbelt',
  e2b: 'E2B, a remote service',
  none: 'None',
}

interface StateWords {
  label: string
  tone: Tone
  meaning: string
}

export const stateWords: Record<SandboxState['state'], StateWords> = {
  verified: {
    label: 'Verified',
    tone: 'allow',
    meaning: 'Programs see their workspace and nothing else of this server.',
  },
  unavailable: {
    label: 'Unavailable',
    tone: 'ask',
    meaning: 'Tools that run programs are off, because the sandbox could not be verified.',
  },
  unsandboxed: {
    label: 'Unsandboxed',
    tone: 'deny',
    meaning:
      'Programs run as the user of the server, with all its files and its network. Use this only where every agent and tool may do anything.',
  },
}

export function describeLimits(limits: SandboxState['limits']): string {
  if (limits === 'enforced') return 'Memory and processes of a command are limited together'
  if (limits === 'best-effort') return 'Each process of a command is limited by itself'
  return 'None'
}
