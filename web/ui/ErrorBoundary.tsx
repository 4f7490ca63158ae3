import { Component, type ReactNode } from 'react'

interface Props {
  /** Shown in place of children that throw. */
  renderFallback: (error: unknown) => ReactNode
  /** A new value renders the children again. */
  resetOn?: unknown
  children: ReactNode
}

interface State {
  failure: { error: unknown } | null
  /** The value of `resetOn` that this state belongs to. */
  resetOn: unknown
}

/** Contains an exception to one part of the page. A class, because React supports this in classes only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null, resetOn: this.props.resetOn }

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ resetOn }: Props, state: State) {
    return resetOn === state.resetOn ? null : { failure: null, resetOn }
  }

  override render() {
    const { failure } = this.state
    return failure ? this.props.renderFallback(failure.error) : this.props.children
  }
}
