import { forgetMs } from '../attempt-rules.ts'
import type { SignInStore } from '../sign-in-store.ts'
import { guarded } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { createAttemptStore } from './attempt-store.ts'
import { createPeopleStore } from './people-store.ts'
import { createSignIns } from './sign-ins.ts'
import { createTokenStore } from './token-store.ts'
import { createSignInCheck } from './verify-sign-in.ts'

/** How long expired links stay listed, for people who come late. */
const keepExpiredMs = 7 * 86_400_000

/** Everything that signing in stores, on either engine. */
export function createSignInStore(engine: Engine): SignInStore {
  const check = createSignInCheck(engine)
  // A member, tenant or sign-in was changed on a node, so cached values may be wrong.
  engine.watch(check.forget, 'rules')
  const onChange = () => {
    check.forget()
    engine.announce('rules')
  }
  return {
    signIns: createSignIns(engine, check),
    tokens: createTokenStore(engine),
    attempts: createAttemptStore(engine),
    people: createPeopleStore(engine, onChange),
    sweep: () => guarded(() => sweep(engine)),
  }
}

async function sweep({ db, ...engine }: Engine): Promise<number> {
  const now = engine.now()
  const removed = [
    await db.deleteFrom('sessions').where('expires_ms', '<=', now).executeTakeFirst(),
    await db
      .deleteFrom('one_time_tokens')
      .where('expires_ms', '<=', now - keepExpiredMs)
      .executeTakeFirst(),
    await db
      .deleteFrom('one_time_tokens')
      .where('kind', '=', 'oidc')
      .where('expires_ms', '<=', now)
      .executeTakeFirst(),
    await db
      .deleteFrom('sign_in_attempts')
      .where('last_ms', '<=', now - forgetMs)
      .executeTakeFirst(),
  ]
  return removed.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
}
