import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

const hasher = createPasswordHasher()

test('a digest matches only its own password, and is recomputed when the parameters change', async () => {
  const digest = await hasher.hash('correct horse battery')
  expect(digest).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hasher.verify(digest, 'correct horse battery')).toBe(true)
  expect(await hasher.verify(digest, 'correct horse batterie')).toBe(false)
  expect(hasher.isOutdated(digest)).toBe(false)
  const old = await hash('correct horse battery', { memoryCost: 8192, timeCost: 1 })
  expect([await hasher.verify(old, 'correct horse battery'), hasher.isOutdated(old)]).toEqual([
    true,
    true,
  ])
})

test('a member without a password, or with a broken one, is never let in', async () => {
  for (const digest of [undefined, '', 'nonsense', '$argon2id$v=19$m=19456,t=2,p=1$x$y'])
    expect(await hasher.verify(digest, '')).toBe(false)
})

test('an unknown address costs as much work as a known one', async () => {
  const digest = await hasher.hash('correct horse battery')
  const timeOf = async (given: string | undefined) => {
    const start = performance.now()
    for (let at = 0; at < 3; at += 1) await hasher.verify(given, 'wrong password!')
    return performance.now() - start
  }
  await timeOf(digest)
  const [known, unknown] = [await timeOf(digest), await timeOf(undefined)]
  // An unreadable digest is refused in microseconds: a ratio far beyond the effect of load.
  expect(unknown).toBeGreaterThan(known / 20)
})

test('with a full queue the caller is asked to retry', async () => {
  const tries = Array.from({ length: 40 }, () =>
    hasher.hash('correct horse battery').then(
      () => 'done',
      (error: { code: string; details: unknown }) => [error.code, error.details],
    ),
  )
  const answers = await Promise.all(tries)
  expect(answers.filter((answer) => answer === 'done')).toHaveLength(34)
  expect(answers.at(-1)).toEqual(['rate_limited', { retryAfterMs: 3000 }])
})
