import {
  IconBox,
  IconBuilding,
  IconDatabase,
  IconInfoCircle,
  IconKey,
  IconLogin2,
  IconPlug,
  IconTag,
  IconUser,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { holds } from '../../api/me.ts'
import type { Me } from '../../api/me.ts'

export interface SettingsSection {
  slug: string
  label: string
  /** The purpose in one line. */
  purpose: string
  icon: Icon
  /** Any one of these permissions opens it; without any, everyone can. */
  needs?: readonly string[]
  /** For the people who run the installation: members of the tenant `default`. */
  isOfInstallation?: boolean
}

/** The sections, from your own account to the installation. */
export const sections: readonly SettingsSection[] = [
  {
    slug: 'account',
    label: 'Account',
    purpose: 'Your name, your password, and where you are signed in.',
    icon: IconUser,
  },
  {
    slug: 'connect',
    label: 'Connect',
    purpose: 'Connect programs and MCP clients to these tools.',
    icon: IconPlug,
  },
  {
    slug: 'members',
    label: 'Members',
    purpose: 'People, roles and invitations.',
    icon: IconUsers,
    needs: ['members.manage', 'audit.read'],
  },
  {
    slug: 'keys',
    label: 'API keys',
    purpose: 'Credentials for programs.',
    icon: IconKey,
    needs: ['keys.manage'],
  },
  {
    slug: 'sign-in',
    label: 'Sign-in',
    purpose: 'How people sign in. Set in the configuration file.',
    icon: IconLogin2,
    needs: ['members.manage', 'keys.manage', 'audit.read'],
  },
  {
    slug: 'labels',
    label: 'Data labels',
    purpose:
      'What tools read and affect. After a session has read both untrusted and private data, external effects need approval.',
    icon: IconTag,
    needs: ['policy.read'],
  },
  {
    slug: 'network',
    label: 'Network',
    purpose: 'Hosts that tools and programs may reach.',
    icon: IconWorld,
    needs: ['policy.read', 'policy.write'],
  },
  {
    slug: 'sandbox',
    label: 'Sandbox',
    purpose: 'How programs that agents run are kept apart from this server.',
    icon: IconBox,
    needs: ['audit.read'],
  },
  {
    slug: 'retention',
    label: 'Retention',
    purpose: 'How long data is kept, and the tamper check.',
    icon: IconDatabase,
    needs: ['members.manage', 'keys.manage', 'audit.read'],
  },
  {
    slug: 'tenants',
    label: 'Tenants',
    purpose: 'Organisations on this server, isolated from each other.',
    icon: IconBuilding,
    needs: ['tenants.manage'],
    isOfInstallation: true,
  },
  {
    slug: 'about',
    label: 'About',
    purpose: 'Version and status of this server.',
    icon: IconInfoCircle,
  },
]

export function isOpenTo(
  me: Me,
  { needs = [], isOfInstallation = false }: SettingsSection,
): boolean {
  if (isOfInstallation && (me.home ?? me.tenant) !== 'default') return false
  return needs.length === 0 || needs.some((permission) => holds(me.permissions, permission))
}
