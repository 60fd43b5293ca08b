import type { LinkOffer, SignInMethods } from '../../../core/sign-in/sign-in.ts'
import { withNext } from './next-path.ts'
import { field, formFault, nextField } from './fields.ts'
import type { Faults } from './fields.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { notice } from './layout.ts'

export interface SignInView {
  methods: SignInMethods
  /** The link that was opened no longer works. */
  isLinkUsed?: boolean
  faults?: Faults
  /** Where to go afterwards. */
  next?: string
  /** The typed text, never the password. */
  typed?: { tenant?: string; email?: string }
}

/** The ways to sign in that there are. */
export function signInPage(shown: SignInView): Html {
  const { methods, isLinkUsed, faults = {}, next } = shown
  const title = isLinkUsed === true ? 'This link no longer works' : 'Sign in to Toolcrib'
  const hasOthers = methods.password || methods.oidc.length > 0
  return notice(
    title,
    html`${isLinkUsed === true && html`<p>A sign-in link works once and for a limited time.</p>`}
      ${formFault(faults[''])}
      ${methods.oidc.map(
        ({ name, label }) =>
          html`<p>
            <a class="button" href="${withNext(`/sign-in/oidc/${name}`, next)}">${label}</a>
          </p>`,
      )}
      ${methods.password && methods.oidc.length > 0 && html`<p class="or">or</p>`}
      ${methods.password && passwordForm(shown)} ${linkHelp(hasOthers)}
      <p class="dim">
        Programs need no link: they send an API key. <a href="/docs">Read the API</a>.
      </p>`,
  )
}

/** For somebody who has opened a link: one button, which uses it up. */
export function linkPage(
  { memberName, tenantName }: LinkOffer,
  { token, next }: { token: string; next?: string },
): Html {
  return notice(
    `Sign in to ${tenantName}`,
    html`<p>This link signs you in as <strong>${memberName}</strong>. It works once.</p>
      <form class="form" method="post" action="/sign-in/link">
        <input type="hidden" name="token" value="${token}" />
        ${nextField(next)}
        <button class="primary">Sign in</button>
      </form>`,
  )
}

function passwordForm({ methods, faults = {}, typed = {}, next }: SignInView): Html {
  return html`<form class="form" method="post" action="/sign-in">
    ${nextField(next)}
    ${
      methods.needsTenant &&
      field(
        {
          name: 'tenant',
          label: 'Organisation',
          value: typed.tenant ?? 'default',
          autocomplete: 'organization',
        },
        faults['tenant'],
      )
    }
    ${field(
      {
        name: 'email',
        label: 'Email address',
        type: 'email',
        value: typed.email,
        autocomplete: 'username',
      },
      faults['email'],
    )}
    ${field(
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
      },
      faults['password'],
    )}
    <button class="primary">Sign in</button>
  </form>`
}

function linkHelp(isFolded: boolean): Html {
  const steps = html`<ol>
    <li>
      Look at the terminal where <code>toolcrib dev</code> or <code>toolcrib start</code> runs.
    </li>
    <li>
      Open the address after <strong>sign in</strong>, which ends in <code>/sign-in?token=…</code>.
    </li>
    <li>
      If it has been used, run <code>toolcrib sign-in-link</code> on that machine for a new one.
    </li>
  </ol>`
  if (isFolded) {
    return html`<details>
      <summary>Sign in with a link</summary>
      ${steps}
    </details>`
  }
  return html`<p>The server prints a one-time link when it starts. Open it in this browser.</p>
    ${steps}`
}
