import { Component } from 'react'
import type { ReactNode } from 'react'

interface FormGuardProps {
  /** Shown instead of a form that broke. */
  fallback: ReactNode
  children: ReactNode
}

/** A schema that the form stumbles over must not take the screen with it: JSON is always there. */
export class FormGuard extends Component<FormGuardProps, { hasBroken: boolean }> {
  override state = { hasBroken: false }

  static getDerivedStateFromError() {
    return { hasBroken: true }
  }

  override render() {
    return this.state.hasBroken ? this.props.fallback : this.props.children
  }
}
