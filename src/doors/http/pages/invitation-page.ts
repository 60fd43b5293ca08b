import type { InvitationOffer } from '../../../core/sign-in/sign-in.ts'
import { field, formFault, nextField } from './fields.ts'
import type { Faults } from './fields.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { notice } from './layout.ts'

export interface InvitationView {
  offer: InvitationOffer
  token: string
  /** Where to go afterwards. */
  next?: string
  faults?: Faults
  name?: string
}

/** For somebody who was asked in: a name, a password, and they are there. */
export function invitationPage({ offer, token, next, faults = {}, name }: InvitationView): Html {
  return notice(
    `Join ${offer.tenantName}`,
    html`<p>
        You were invited as <strong>${offer.role}</strong>. Choose a name and a password, and you
        are in.
      </p>
      ${formFault(faults[''])}
      <form class="form" method="post" action="/invitation">
        <input type="hidden" name="token" value="${token}" />
        ${nextField(next)}
        ${field({
          name: 'email',
          label: 'Email address',
          type: 'email',
          value: offer.email,
          autocomplete: 'username',
          isReadOnly: true,
        })}
        ${field({ name: 'name', label: 'Name', value: name, autocomplete: 'name' }, faults['name'])}
        ${field(
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            hint: '10 characters or more.',
            autocomplete: 'new-password',
          },
          faults['password'],
        )}
        <button class="primary">Join</button>
      </form>`,
  )
}

/** For a link that is used, expired or was withdrawn: one page for all three. */
export function invitationOverPage(): Html {
  return notice(
    'This invitation no longer works',
    html`<p>It is used, expired or was withdrawn. Ask for a new one.</p>
      <p>Are you a member already? <a href="/sign-in">Sign in</a>.</p>`,
  )
}
