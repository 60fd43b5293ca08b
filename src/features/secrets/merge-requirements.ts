import type { SecretRequirement, ToolContract } from '../../core/kernel/tool.ts'

/** One secret, with the declarations of all its tools. */
export interface SharedRequirement {
  name: string
  label: string
  /** `select` only where every tool has it so. */
  type: 'text' | 'select'
  /** The choices accepted by every tool that lists choices. */
  choices: string[]
  /** True if at least one tool declares it sensitive. */
  sensitive: boolean
  /** No tool requires it. */
  optional: boolean
  /** Tools that require it. */
  requiredBy: string[]
  /** Tools that use it if it is set. */
  usedBy: string[]
}

type Declaring = Pick<ToolContract, 'name' | 'secrets'>

/** The secrets that these tools declare, by name. Where tools differ, the stricter one counts. */
export function mergeRequirements(contracts: Iterable<Declaring>): SharedRequirement[] {
  const byName = new Map<string, { tool: string; secret: SecretRequirement }[]>()
  for (const { name: tool, secrets } of contracts) {
    for (const secret of secrets) {
      byName.set(secret.key, [...(byName.get(secret.key) ?? []), { tool, secret }])
    }
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, all]) => merge(name, all))
}

function merge(
  name: string,
  all: readonly { tool: string; secret: SecretRequirement }[],
): SharedRequirement {
  const secrets = all.map(({ secret }) => secret)
  const selects = secrets.filter(({ type }) => type === 'select')
  const toolsOf = (optional: boolean) =>
    all.filter(({ secret }) => secret.optional === optional).map(({ tool }) => tool)
  return {
    name,
    label: secrets[0]?.label ?? name,
    type: selects.length === secrets.length ? 'select' : 'text',
    choices: (selects[0]?.choices ?? []).filter((choice) =>
      selects.every(({ choices }) => choices.includes(choice)),
    ),
    sensitive: secrets.some(({ sensitive }) => sensitive),
    optional: secrets.every(({ optional }) => optional),
    requiredBy: toolsOf(false),
    usedBy: toolsOf(true),
  }
}
