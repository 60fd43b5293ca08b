import { Link, getRouteApi } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useMe } from '../../api/me.ts'
import { NotFound } from '../not-found.tsx'
import { Page } from '../../ui/page.tsx'
import { NotAllowed } from '../../ui/states.tsx'
import { AboutSection } from './about-section.tsx'
import { AccountSection } from './account/account-section.tsx'
import { ConnectSection } from './connect/connect-section.tsx'
import { KeysSection } from './keys/keys-section.tsx'
import { LabelsSection } from './labels-section.tsx'
import { MembersSection } from './members/members-section.tsx'
import { NetworkSection } from './network/network-section.tsx'
import { RetentionSection } from './retention-section.tsx'
import { SandboxSection } from './sandbox/sandbox-section.tsx'
import { isOpenTo, sections } from './sections.ts'
import { SignInSection } from './sign-in-section.tsx'
import { TenantsSection } from './tenants-section.tsx'
import styles from './settings.module.css'

const route = getRouteApi('/settings/{-$section}')

const contents: Readonly<Record<string, ComponentType>> = {
  account: AccountSection,
  connect: ConnectSection,
  members: MembersSection,
  keys: KeysSection,
  'sign-in': SignInSection,
  labels: LabelsSection,
  network: NetworkSection,
  sandbox: SandboxSection,
  retention: RetentionSection,
  tenants: TenantsSection,
  about: AboutSection,
}

function showInStrip(link: HTMLAnchorElement | null): void {
  const strip = link?.closest('nav')
  if (link && strip && strip.scrollWidth > strip.clientWidth) {
    strip.scrollLeft = link.offsetLeft - strip.clientWidth / 2
  }
}

/** Your account, members, keys, and the setup of this installation. */
export function SettingsScreen() {
  const { section: slug = 'account' } = route.useParams()
  const me = useMe()
  const section = sections.find((one) => one.slug === slug)
  const Content = contents[slug]
  if (section === undefined || Content === undefined) return <NotFound />
  const offered = sections.filter((one) => isOpenTo(me, one))
  return (
    <Page title={section.label} description={section.purpose}>
      <div className={styles.frame}>
        <nav aria-label="Settings" className={styles.side}>
          <ul>
            {offered.map(({ slug: to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to="/settings/{-$section}"
                  params={{ section: to }}
                  className={styles.sideLink}
                  data-status={to === slug ? 'active' : undefined}
                  aria-current={to === slug ? 'page' : undefined}
                  // On a narrow screen the list scrolls sideways.
                  ref={to === slug ? showInStrip : undefined}
                >
                  <Icon size={16} stroke={1.6} aria-hidden="true" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={styles.content}>
          {isOpenTo(me, section) ? (
            <Content />
          ) : (
            <NotAllowed>
              {section.isOfInstallation === true
                ? 'You need the permission tenants.manage in the tenant default.'
                : `You need the permission ${section.needs?.join(' or ') ?? ''}.`}
            </NotAllowed>
          )}
        </div>
      </div>
    </Page>
  )
}
