import { ToolError } from '../../core/kernel/errors.ts'

/** Hashes and checks passwords, a few at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Without a digest it takes the same time and returns false. */
  verify(digest: string | undefined, password: string): Promise<boolean>
  /** True if it was made with other parameters than ours. */
  isOutdated(digest: string): boolean
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const ours = '$argon2id$v=19$m=19456,t=2,p=1$'

/** Each holds 19 MiB and a thread for a tenth of a second; more at once would only slow each other down. */
const atOnce = 2
const waitingAtMost = 32

/** A digest that no password matches, so that an unknown address takes as long as a wrong password. */
const nobody =
  '$argon2id$v=19$m=19456,t=2,p=1$c2lnbi1pbi1uZWVkcy1h$fGCkzBIkgNIBM2pRNdGHpE3Czh1BKDN1bFnFqVN/qm0'

/** Creates a hasher with its own queue. */
export function createPasswordHasher(): PasswordHasher {
  const inTurn = createTurns()
  return {
    hash: (password) => inTurn(async () => (await argon2()).hash(password, parameters)),
    verify: (digest, password) =>
      inTurn(async () => {
        const { verify } = await argon2()
        const isRight = await verify(digest ?? nobody, password).catch(() => false)
        return isRight && digest !== undefined
      }),
    isOutdated: (digest) => !digest.startsWith(ours),
  }
}

/** Loaded with the first password: most servers never see one. */
const argon2 = () => import('@node-rs/argon2')

function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingAtMost) throw busy()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // The slot goes to the longest waiting request, and is free only when there is none.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

function busy(): ToolError {
  return new ToolError('rate_limited', 'Too many people are signing in right now', {
    fix: 'Try again in a few seconds.',
    details: { retryAfterMs: 3000 },
  })
}
