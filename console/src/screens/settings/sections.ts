import {
  IconBuilding,
  IconDatabase,
  IconInfoCircle,
  IconKey,
  IconLogin2,
  IconPlug,
  IconTag,
  IconUser,
  IconUsers,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { holds } from '../../api/me.ts'
import type { Me } from '../../api/me.ts'

export interface SettingsSection {
  slug: string
  label: string
  /** What it is for, in one line. */
  purpose: string
  icon: Icon
  /** One of these opens it; without any it is open to everybody. */
  needs?: readonly string[]
  /** For who runs the installation: members of the tenant `default`. */
  isOfInstallation?: boolean
}

/** What there is to set, from oneself to the installation. */
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
    purpose: 'How programs and MCP clients reach the tools of this crib.',
    icon: IconPlug,
  },
  {
    slug: 'members',
    label: 'Members',
    purpose: 'Who is here, and what they may do.',
    icon: IconUsers,
    needs: ['members.manage', 'audit.read'],
  },
  {
    slug: 'keys',
    label: 'API keys',
    purpose: 'What programs sign in with.',
    icon: IconKey,
    needs: ['keys.manage'],
  },
  {
    slug: 'sign-in',
    label: 'Sign-in',
    purpose: 'The ways people sign in. The configuration file says which.',
    icon: IconLogin2,
    needs: ['members.manage', 'keys.manage', 'audit.read'],
  },
  {
    slug: 'labels',
    label: 'Data labels',
    purpose:
      'What tools read and affect. Where untrusted and private data meet an outside effect, a person is asked.',
    icon: IconTag,
    needs: ['policy.read'],
  },
  {
    slug: 'retention',
    label: 'Retention',
    purpose: 'How long things are kept, and how to check that nothing was changed.',
    icon: IconDatabase,
    needs: ['members.manage', 'keys.manage', 'audit.read'],
  },
  {
    slug: 'tenants',
    label: 'Tenants',
    purpose: 'Organisations on this server. Each sees nothing of the others.',
    icon: IconBuilding,
    needs: ['tenants.manage'],
    isOfInstallation: true,
  },
  {
    slug: 'about',
    label: 'About',
    purpose: 'What runs here, and how it is doing.',
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
