import { Component, type ReactNode } from 'react'

interface Props {
  /** Shown in place of children that throw. */
  fallback: ReactNode
  /** A new value renders the children again. */
  resetOn?: unknown
  children: ReactNode
}

interface State {
  hasFailed: boolean
  /** The value of `resetOn` that this state belongs to. */
  resetOn: unknown
}

/** Contains an exception to one part of the page. A class, because React supports this in classes only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, resetOn: this.props.resetOn }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ resetOn }: Props, state: State) {
    return resetOn === state.resetOn ? null : { hasFailed: false, resetOn }
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
