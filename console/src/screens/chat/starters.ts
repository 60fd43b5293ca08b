import type { Api } from '../../api/client.ts'

type OfferedTool = Pick<
  Api<'OfferedTool'>,
  'name' | 'title' | 'effect' | 'examples' | 'asks' | 'mayAsk'
>

/** A suggested first message. */
export interface Starter {
  title: string
  label: string
  /** The text put into the composer. */
  prompt: string
}

const shown = 3

/**
 * Suggestions from the agent's tools: two that only read and, if there is one, one that needs approval.
 * The demo model takes plain commands; other models get a request in words.
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
  prompt: 'What can you do? Which tools do you have?',
}

const order = ['read', 'write', 'destructive']

function byEffect(left: OfferedTool, right: OfferedTool): number {
  return order.indexOf(left.effect) - order.indexOf(right.effect)
}

function toStarter({ name, title, examples }: OfferedTool, model: string): Starter | undefined {
  const [example] = examples
  if (example === undefined) return undefined
  const input = JSON.stringify(example.input)
  const prompt =
    model === 'demo'
      ? `run ${name} with ${input}`
      : `${title}: ${example.label}. Use these values: ${input}`
  return { title, label: example.label, prompt }
}
