import { Component } from 'react'
import type { ReactNode } from 'react'

interface FallbackProps {
  /** Shown in the place of what can't be drawn. */
  instead: ReactNode
  /** A new value is tried again. */
  of: unknown
  children: ReactNode
}

/** A value of a stranger may break what draws it: then this part alone is shown in another way. */
export class Fallback extends Component<FallbackProps, { failedOf: unknown; hasFailed: boolean }> {
  override state = { failedOf: undefined as unknown, hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(
    { of }: FallbackProps,
    state: { failedOf: unknown; hasFailed: boolean },
  ) {
    return state.failedOf === of ? null : { failedOf: of, hasFailed: false }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children
  }
}
