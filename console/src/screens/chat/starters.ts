import type { Api } from '../../api/client.ts'

type OfferedTool = Pick<
  Api<'OfferedTool'>,
  'name' | 'title' | 'effect' | 'examples' | 'asks' | 'mayAsk'
>

/** Something to begin with. */
export interface Starter {
  title: string
  label: string
  /** What is put into the composer. */
  say: string
}

const shown = 3

/**
 * Made of what the agent can do: two that only read, and one that asks first where there is one, so
 * that both are seen. The offline model follows plain orders, others are told what is wanted.
 */
export function toStarters(tools: readonly OfferedTool[], model: string): Starter[] {
  const usable = tools.filter(({ examples }) => examples.length > 0)
  const asking = usable.filter(({ asks, mayAsk }) => asks || mayAsk)
  const calm = usable.filter((tool) => !asking.includes(tool))
  const chosen = [
    ...calm.toSorted(byEffect).slice(0, shown - Math.min(1, asking.length)),
    ...asking.slice(0, 1),
  ]
  const starters = chosen.flatMap((tool) => toStarter(tool, model) ?? [])
  return starters.length > 0 ? starters : [whatCanYouDo]
}

const whatCanYouDo: Starter = {
  title: 'What can you do?',
  label: 'Ask which tools it has',
  say: 'What can you do? Which tools do you have?',
}

const order = ['read', 'write', 'destructive']

function byEffect(left: OfferedTool, right: OfferedTool): number {
  return order.indexOf(left.effect) - order.indexOf(right.effect)
}

function toStarter({ name, title, examples }: OfferedTool, model: string): Starter | undefined {
  const [example] = examples
  if (example === undefined) return undefined
  const input = JSON.stringify(example.input)
  const say =
    model === 'demo'
      ? `run ${name} with ${input}`
      : `${title}: ${example.label}. These are the values: ${input}`
  return { title, label: example.label, say }
}
