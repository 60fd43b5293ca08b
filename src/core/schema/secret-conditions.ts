import type { Issue } from '../kernel/errors.ts'
import type { SecretCondition, SecretRequirement } from '../kernel/tool.ts'

/** A secret as its author declares it. */
type Declared = string | (Pick<SecretRequirement, 'key'> & Partial<SecretRequirement>)

/** Problems of conditions: what they name must be declared by the same tool. */
export function findConditionIssues(secrets: readonly Declared[]): Issue[] {
  return secrets.flatMap((one, index) => {
    if (typeof one === 'string' || one.requiredWhen === undefined) return []
    const message = problemOf(one, one.requiredWhen, secrets)
    return message === undefined ? [] : [{ path: `/secrets/${index}/requiredWhen`, message }]
  })
}

function problemOf(
  { optional }: Exclude<Declared, string>,
  { option, secret, is }: SecretCondition,
  secrets: readonly Declared[],
): string | undefined {
  if (optional !== true) return 'is for a secret that is otherwise optional: add optional: true'
  if (option === undefined && secret === undefined) return 'needs option, secret or both'
  if (secret === undefined || secrets.some((one) => isChoice(one, secret, is))) return undefined
  return `must name a select of this tool that is not sensitive and has the choice ${is}`
}

/** Its value is shown to people anyway. */
function isChoice(declared: Declared, key: string, is: string): boolean {
  if (typeof declared === 'string' || declared.key !== key) return false
  const { choices = [], type = 'select', sensitive = false } = declared
  return choices.includes(is) && type === 'select' && !sensitive
}
