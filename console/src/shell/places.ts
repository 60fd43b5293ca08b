import {
  IconActivity,
  IconApi,
  IconBook2,
  IconCalendarTime,
  IconChartBar,
  IconFolders,
  IconHammer,
  IconHistory,
  IconKey,
  IconMessage,
  IconMessageQuestion,
  IconPlugConnected,
  IconRobot,
  IconSettings,
  IconShieldCheck,
  IconTools,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { holds } from '../api/me.ts'

export interface Place {
  to: string
  label: string
  icon: Icon
  /** After `g`: the key that goes there. */
  key: string
  /** The place is hidden from people who lack all of these. */
  needs?: readonly string[]
}

/** Places for daily work. */
export const peoplePlaces: readonly Place[] = [
  { to: '/tools', label: 'Tools', icon: IconTools, key: 't', needs: ['tools.call'] },
  { to: '/chat', label: 'Chat', icon: IconMessage, key: 'c', needs: ['agents.chat'] },
  { to: '/approvals', label: 'Approvals', icon: IconShieldCheck, key: 'a' },
  { to: '/questions', label: 'Questions', icon: IconMessageQuestion, key: 'q' },
  { to: '/calls', label: 'Calls', icon: IconActivity, key: 'l' },
  {
    to: '/workspaces',
    label: 'Workspaces',
    icon: IconFolders,
    key: 'w',
    needs: ['workspaces.read', 'tools.call'],
  },
]

/** Places for administration. */
export const managePlaces: readonly Place[] = [
  {
    to: '/agents',
    label: 'Agents & policy',
    icon: IconRobot,
    key: 'g',
    needs: ['policy.read', 'policy.write', 'agents.manage'],
  },
  { to: '/studio', label: 'Studio', icon: IconHammer, key: 'b', needs: ['tools.author'] },
  {
    to: '/skills',
    label: 'Skills',
    icon: IconBook2,
    key: 'k',
    needs: ['skills.manage', 'agents.manage', 'policy.read'],
  },
  {
    to: '/mcp-servers',
    label: 'MCP servers',
    icon: IconPlugConnected,
    key: 'm',
    needs: ['mcp.manage', 'tools.approve', 'policy.read'],
  },
  {
    to: '/apis',
    label: 'APIs',
    icon: IconApi,
    key: 'i',
    needs: ['apis.manage', 'tools.approve', 'policy.read'],
  },
  { to: '/secrets', label: 'Secrets', icon: IconKey, key: 's', needs: ['secrets.write'] },
  {
    to: '/schedules',
    label: 'Schedules',
    icon: IconCalendarTime,
    key: 'd',
    needs: ['schedules.manage', 'audit.read'],
  },
  {
    to: '/usage',
    label: 'Usage',
    icon: IconChartBar,
    key: 'u',
    needs: ['usage.read', 'limits.manage'],
  },
  { to: '/audit', label: 'Audit log', icon: IconHistory, key: 'o', needs: ['audit.read'] },
  { to: '/settings', label: 'Settings', icon: IconSettings, key: 'e' },
]

export const places: readonly Place[] = [...peoplePlaces, ...managePlaces]

/** Whether it leads somebody with these permissions anywhere. */
export function isOffered({ needs }: Place, permissions: readonly string[]): boolean {
  return needs === undefined || needs.some((permission) => holds(permissions, permission))
}
