import { createElement, lazy, useState } from 'react'
import type { ComponentType } from 'react'

export type LazyPart<Props> = ComponentType<Props> & {
  /** Brings its code, so that it is drawn at once when it is wanted. */
  load: () => Promise<unknown>
}

/**
 * A part whose code comes with the first one that is drawn, behind the nearest `Suspense`. What was
 * loaded before is drawn without one: React lets a placeholder stand for a third of a second, also
 * where nothing is waited for any more.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  const bring = async () => (loaded = await load())
  const Waited = lazy(async () => ({ default: await bring() })) as ComponentType<Props>
  function Part(props: Props) {
    // The same one for as long as it is drawn: the other would begin anew.
    const [chosen] = useState(() => loaded ?? Waited)
    return createElement(chosen, props)
  }
  return Object.assign(Part, { load: bring })
}
