import { createElement, lazy, useState } from 'react'
import type { ComponentType } from 'react'

export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads its code in advance. */
  load: () => Promise<unknown>
}

/**
 * A component whose code is loaded when it is first drawn, behind the nearest `Suspense`. A part that is
 * already loaded is drawn without one: React lets a placeholder stand for a third of a second, also where
 * nothing is waited for any more.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined
  const bring = async () => (loaded = await load())
  const Waited = lazy(async () => ({ default: await bring() })) as ComponentType<Props>
  function Part(props: Props) {
    // The same component for its lifetime: a switch would reset its state.
    const [chosen] = useState(() => loaded ?? Waited)
    return createElement(chosen, props)
  }
  return Object.assign(Part, { load: bring })
}
