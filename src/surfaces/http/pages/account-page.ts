import type { Session } from '../../../core/sign-in/session.ts'
import type { Account } from '../../../core/sign-in/sign-in-api.ts'
import { field, formFault } from './fields.ts'
import type { Faults } from './fields.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

export interface AccountView {
  account: Account
  sessions: readonly (Session & { isCurrent: boolean })[]
  faults?: Faults
  /** What was typed as address. */
  email?: string
  isSaved?: boolean
}

/** Who one is, one's password, and where one is signed in. */
export function accountPage(view: AccountView): Html {
  const { member, tenantName } = view.account
  return html`<div class="head">
      <div>
        <h1>${member.name}</h1>
        <p class="dim">
          ${member.email !== undefined && html`${member.email} · `}<strong>${member.role}</strong>
          of ${tenantName}
        </p>
      </div>
    </div>
    <section class="panel">
      <h2>${view.account.hasPassword ? 'Change password' : 'Set a password'}</h2>
      ${passwordForm(view)}
    </section>
    <section class="panel">
      <h2>Where you are signed in</h2>
      ${sessionTable(view.sessions)}
      <form method="post" action="/account/sessions">
        <button name="all" value="others">Sign out everywhere else</button>
        <button class="danger" name="all" value="everywhere">Sign out everywhere</button>
      </form>
    </section>`
}

function passwordForm({ account, faults = {}, email, isSaved }: AccountView): Html {
  const { member } = account
  return html`<form class="form" method="post" action="/account/password">
    ${
      isSaved === true &&
      html`<p class="good" role="status">Saved. Every other session has ended.</p>`
    }
    ${formFault(faults[''])}
    ${
      member.email === undefined
        ? field(
            {
              name: 'email',
              label: 'E-mail address',
              type: 'email',
              value: email,
              hint: 'What you will sign in with.',
              autocomplete: 'username',
            },
            faults['email'],
          )
        : html`<input
            type="hidden"
            name="username"
            autocomplete="username"
            value="${member.email}"
          />`
    }
    ${
      account.needsPassword &&
      field(
        {
          name: 'current',
          label: 'Current password',
          type: 'password',
          autocomplete: 'current-password',
        },
        faults['current'],
      )
    }
    ${field(
      {
        name: 'password',
        label: 'New password',
        type: 'password',
        hint: '10 characters or more.',
        autocomplete: 'new-password',
      },
      faults['password'],
    )}
    <button class="primary">Save password</button>
  </form>`
}

function sessionTable(sessions: AccountView['sessions']): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Browser</th>
          <th scope="col">Address</th>
          <th scope="col">How</th>
          <th scope="col">Last seen</th>
          <th scope="col"><span class="hidden">Sign out</span></th>
        </tr>
      </thead>
      <tbody>
        ${sessions.map(sessionRow)}
      </tbody>
    </table>
  </div>`
}

function sessionRow(session: AccountView['sessions'][number]): Html {
  const browser = browserName(session.userAgent)
  return html`<tr>
    <td>${browser} ${session.isCurrent && html`<span class="badge good">this browser</span>`}</td>
    <td>${session.address ?? 'unknown'}</td>
    <td>${session.method}</td>
    <td>
      <time datetime="${session.lastSeenAt}"
        >${session.lastSeenAt.slice(0, 16).replace('T', ' ')} UTC</time
      >
    </td>
    <td>
      <form method="post" action="/account/sessions">
        <button class="quiet" name="id" value="${session.id}" aria-label="Sign out ${browser}">
          Sign out
        </button>
      </form>
    </td>
  </tr>`
}

const browsers = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari', 'curl'] as const

/** A word that people know; the rest of what a browser says of itself tells them nothing. */
function browserName(userAgent: string | undefined): string {
  const known = browsers.find((name) => userAgent?.includes(`${name}/`) === true)
  if (known === 'Edg') return 'Edge'
  if (known === 'OPR') return 'Opera'
  return known ?? userAgent?.slice(0, 40) ?? 'unknown'
}
